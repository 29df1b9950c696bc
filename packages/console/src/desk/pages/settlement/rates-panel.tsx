import type { Proposal, Rate } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { priceText } from "#ui/money-text.ts";
import { Panel } from "#ui/panel.tsx";
import { sentenceOf } from "#ui/sentence-case.ts";
import { Loaded } from "#ui/states.tsx";
import { NoValue, Table, type Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { Age } from "#desk/shared/age.tsx";
import { ConfirmRateDialog } from "./confirm-rate-dialog.tsx";
import { Proposals } from "./proposals.tsx";
import { SetRateDialog } from "./set-rate-dialog.tsx";

type Open = { readonly rate: Rate } | { readonly proposal: Proposal };

/** The rates of the connected assets, and the changes that wait for a second operator. */
export function RatesPanel({ assets }: { readonly assets: readonly Rate["asset"][] }) {
  const rates = useQuery(reads.rates);
  const { can } = usePermissions();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const shown = rates.data?.rates.filter(({ asset }) => assets.includes(asset)) ?? [];
  const current = (wanted: Rate["asset"]) =>
    shown.find(({ asset }) => asset === wanted)?.usd ?? null;
  return (
    <Panel title="Rates" description={descriptionOf(shown)} isFlush>
      <Loaded query={rates}>
        {({ proposals }) => (
          <>
            <Proposals
              proposals={proposals}
              priceOf={current}
              onConfirm={(proposal) => setOpen({ proposal })}
            />
            <Table
              label="Rates"
              isDense
              columns={
                can("setRate") ? [...columns, setColumn((rate) => setOpen({ rate }))] : columns
              }
              rows={shown}
              keyOf={({ asset }) => asset}
            />
          </>
        )}
      </Loaded>
      {open !== undefined && "rate" in open && <SetRateDialog rate={open.rate} onClose={close} />}
      {open !== undefined && "proposal" in open && (
        <ConfirmRateDialog
          proposal={open.proposal}
          current={current(open.proposal.asset)}
          onClose={close}
        />
      )}
    </Panel>
  );
}

/** A rate set here has no effect while rates come from elsewhere. */
function descriptionOf(rates: readonly Rate[]): string {
  const others = new Set(rates.flatMap(({ sources }) => sources));
  others.delete("operator");
  return others.size === 0
    ? "USD per coin. A payment is credited at the rate of that moment."
    : `Sources: ${[...others].join(", ")}. Rates set here apply only if “operator” is one of the sources.`;
}

const columns: readonly Column<Rate>[] = [
  { title: "Asset", isHeading: true, cell: ({ asset }) => asset },
  {
    title: "USD per coin",
    isNumber: true,
    place: "corner",
    cell: ({ usd }) =>
      usd === null ? <Badge tone="warn">No rate</Badge> : <span>{priceText(usd)}</span>,
  },
  {
    title: "Age",
    place: "labelled",
    cell: ({ at }) => (at === null ? <NoValue /> : <Age since={at} />),
  },
  {
    title: "Valid until",
    place: "labelled",
    cell: ({ validUntil }) => (validUntil === null ? <NoValue /> : <Time at={validUntil} />),
  },
  {
    title: "Source",
    isFreeText: true,
    place: "detail",
    cell: ({ sources, error }) =>
      error === null ? sources.join(", ") : <span className="text-quiet">{sentenceOf(error)}</span>,
  },
];

const setColumn = (onSet: (rate: Rate) => void): Column<Rate> => ({
  title: "Actions",
  isTitleHidden: true,
  isNumber: true,
  place: "corner",
  cell: (rate) => (
    <Button size="small" aria-label={`Set rate of ${rate.asset}`} onClick={() => onSet(rate)}>
      Set rate
    </Button>
  ),
});
