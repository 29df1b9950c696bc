import type { WithdrawalInLedger } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Badge, type BadgeTone } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { IdText } from "#ui/id-text.tsx";
import { Money } from "#ui/money.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { NoValue, Table, type Column } from "#ui/table.tsx";
import { OutsideLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { reads } from "#account/data/reads.ts";
import { explorerUrl } from "#account/shared/explorer-url.ts";

const step = 50;

/** Every withdrawal with the outcome that the ledger has. */
export function WithdrawalHistory() {
  const [count, setCount] = useState(step);
  const history = useQuery(reads.withdrawals(count));
  return (
    <Panel title="Withdrawal history" isFlush>
      <Loaded query={history}>
        {({ withdrawals, hasMore }) =>
          withdrawals.length === 0 ? (
            <EmptyState title="No withdrawals yet" />
          ) : (
            <>
              <Table
                label="Withdrawals"
                columns={columns}
                rows={withdrawals}
                keyOf={({ id }) => id}
              />
              {hasMore && (
                <div className="border-t border-line p-4">
                  <Button
                    size="small"
                    isPending={history.isPlaceholderData}
                    onClick={() => setCount(count + step)}
                  >
                    Show more
                  </Button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

const states: Readonly<
  Record<WithdrawalInLedger["status"], { readonly tone: BadgeTone; readonly label: string }>
> = {
  HELD: { tone: "wait", label: "Held for review" },
  PAID: { tone: "good", label: "Paid" },
  REJECTED: { tone: "bad", label: "Rejected" },
};

const columns: readonly Column<WithdrawalInLedger>[] = [
  { title: "Requested", place: "labelled", cell: ({ requestedAt }) => <Time at={requestedAt} /> },
  {
    title: "Amount",
    isHeading: true,
    cell: ({ usd, asset }) => (
      <span className="whitespace-nowrap">
        <Money usd={usd} />
        {asset !== null && <span className="font-normal text-quiet"> in {asset}</span>}
      </span>
    ),
  },
  {
    title: "State",
    place: "corner",
    cell: ({ status }) => <Badge tone={states[status].tone}>{states[status].label}</Badge>,
  },
  {
    title: "Outcome",
    // A transaction id and a link.
    isLong: true,
    place: "detail",
    cell: (withdrawal) => <Outcome of={withdrawal} />,
  },
];

function Outcome({ of }: { readonly of: WithdrawalInLedger }) {
  const { status, asset, transactionId, reason, resolvedAt } = of;
  if (resolvedAt === null) return <NoValue />;
  const url =
    transactionId === null || asset === null ? undefined : explorerUrl({ asset, transactionId });
  return (
    <span className="flex flex-col">
      {transactionId !== null && (
        <span className="flex max-w-64 min-w-0 items-center gap-3">
          <IdText id={transactionId} what="transaction id" />
          {url !== undefined && (
            <OutsideLink href={url} className="shrink-0">
              Explorer
            </OutsideLink>
          )}
        </span>
      )}
      {reason !== null && <span className="min-w-40 wrap-anywhere">{reason}</span>}
      <span className="text-quiet">
        <span className="hidden card:inline">{states[status].label} </span>
        <Time at={resolvedAt} />
      </span>
    </span>
  );
}
