import type { BalanceAge, ReadBalanceAgesAnswer } from "@ironlease/client/operator";
import type { UseQueryResult } from "@tanstack/react-query";
import { Money } from "#ui/money.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { CsvButton } from "./csv-button.tsx";

export function BalancesPanel({
  query,
}: {
  readonly query: UseQueryResult<ReadBalanceAgesAnswer>;
}) {
  return (
    <Panel
      isFlush
      title="Balances by age"
      description="Customers’ money by the days since the last ledger entry of the account."
      actions={
        <CsvButton
          name="balances-by-age"
          header={["from_days", "to_days", "accounts", "available_usd", "held_usd"]}
          rows={(query.data?.ages ?? []).map((row) => [
            ...[row.fromDays, row.toDays ?? "", row.accounts, row.availableUsd, row.heldUsd],
          ])}
        />
      }
    >
      <Loaded query={query}>
        {({ ages }) => (
          <Table
            label="Balances by age"
            isDense
            columns={columns}
            rows={ages}
            keyOf={({ fromDays }) => String(fromDays)}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function ageText({ fromDays, toDays }: BalanceAge): string {
  return toDays === null ? `${fromDays} days or more` : `${fromDays} to ${toDays} days`;
}

const columns: readonly Column<BalanceAge>[] = [
  { title: "Last entry", isHeading: true, cell: ageText },
  { title: "Accounts", isNumber: true, place: "labelled", cell: ({ accounts }) => accounts },
  {
    title: "Available",
    isNumber: true,
    place: "corner",
    cell: ({ availableUsd }) => <Money usd={availableUsd} />,
  },
  {
    title: "Held",
    isNumber: true,
    place: "labelled",
    cell: ({ heldUsd }) => <Money usd={heldUsd} />,
  },
];
