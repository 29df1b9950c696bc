import { useState, type KeyboardEvent } from "react";
import { Badge } from "#ui/badge.tsx";
import { classNames } from "#ui/class-names.ts";
import { Menu } from "#ui/menu.tsx";
import { EmptyState } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import {
  offerRows,
  priceIn,
  withOffer,
  type CatalogueDocument,
  type OfferRow,
} from "./offer-rows.ts";
import { ScheduleDialog } from "./schedule-dialog.tsx";

type Change = Parameters<typeof withOffer>[2];

/** Prices by configuration, region and term. Edits go into the same text as those in the JSON. */
export function PriceGrid({
  document,
  canEdit,
  onChange,
}: {
  readonly document: CatalogueDocument;
  readonly canEdit: boolean;
  readonly onChange: (document: CatalogueDocument) => void;
}) {
  const [scheduling, setScheduling] = useState<OfferRow>();
  const rows = offerRows(document);
  if (rows.length === 0) {
    return <EmptyState title="No offers yet">Add one in the JSON document.</EmptyState>;
  }
  const change = (row: OfferRow, changes: Change) => onChange(withOffer(document, row, changes));
  return (
    <>
      <Table
        label="Prices"
        isDense
        columns={columnsWith({ canEdit, change, onSchedule: setScheduling })}
        rows={rows}
        keyOf={({ configId, offer }) => `${configId} ${offer.regionId}`}
      />
      {scheduling !== undefined && (
        <ScheduleDialog
          row={scheduling}
          onSave={(scheduledPrices) => {
            change(scheduling, { scheduledPrices });
            setScheduling(undefined);
          }}
          onClose={() => setScheduling(undefined)}
        />
      )}
    </>
  );
}

interface Editing {
  readonly canEdit: boolean;
  readonly change: (row: OfferRow, changes: Change) => void;
  readonly onSchedule: (row: OfferRow) => void;
}

function columnsWith({ canEdit, change, onSchedule }: Editing): readonly Column<OfferRow>[] {
  const price = (name: "weeklyUsd" | "monthlyUsd", title: string): Column<OfferRow> => ({
    title,
    isNumber: true,
    cell: (row) => (
      <PriceCell
        label={`${title} of ${row.configId} in ${row.offer.regionId}`}
        column={name}
        usd={row.offer[name]}
        isReadOnly={!canEdit}
        onChange={(usd) => change(row, { [name]: usd })}
      />
    ),
  });
  return [
    {
      title: "Configuration",
      isHeading: true,
      cell: ({ configId, configName }) => (
        <>
          {configName} <span className="font-mono text-xs font-normal text-quiet">{configId}</span>
        </>
      ),
    },
    { title: "Region", cell: ({ offer }) => offer.regionId },
    price("weeklyUsd", "Weekly USD"),
    price("monthlyUsd", "Monthly USD"),
    {
      title: "Status",
      cell: ({ offer: { hidden, scheduledPrices = [] } }) => (
        <span className="flex flex-wrap gap-1">
          {hidden === true ? <Badge tone="warn">Hidden</Badge> : <Badge tone="good">On sale</Badge>}
          {scheduledPrices.length > 0 && (
            <Badge tone="wait">{scheduledPrices.length} scheduled</Badge>
          )}
        </span>
      ),
    },
    ...(canEdit
      ? [
          {
            title: "Actions",
            isTitleHidden: true,
            isNumber: true,
            cell: (row: OfferRow) => (
              <Menu
                isIconOnly
                label={`Actions for ${row.configId} in ${row.offer.regionId}`}
                actions={[
                  { label: "Schedule prices", onChoose: () => onSchedule(row) },
                  row.offer.hidden === true
                    ? { label: "Sell again", onChoose: () => change(row, { hidden: undefined }) }
                    : { label: "Hide offer", onChoose: () => change(row, { hidden: true }) },
                ]}
              />
            ),
          } satisfies Column<OfferRow>,
        ]
      : []),
  ];
}

/** Keeps what was typed until it is a price. Leaving the cell restores the last price. */
function PriceCell({
  label,
  column,
  usd,
  isReadOnly,
  onChange,
}: {
  readonly label: string;
  readonly column: string;
  readonly usd: number;
  readonly isReadOnly: boolean;
  readonly onChange: (usd: number) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const isWrong = typed !== undefined && priceIn(typed) === undefined;
  return (
    <input
      aria-label={label}
      aria-invalid={isWrong || undefined}
      data-column={column}
      inputMode="decimal"
      readOnly={isReadOnly}
      value={typed ?? usd.toFixed(2)}
      className={classNames(
        "figures h-9 w-28 rounded-md border bg-surface px-2 text-end text-base sm:text-sm",
        isWrong ? "border-bad" : "border-control",
      )}
      onChange={({ target }) => {
        setTyped(target.value);
        const price = priceIn(target.value);
        if (price !== undefined) onChange(price);
      }}
      onBlur={() => setTyped(undefined)}
      onKeyDown={moveBetweenCells}
    />
  );
}

/** The arrow keys and Enter move between the prices of a column, as in a spreadsheet. */
function moveBetweenCells(event: KeyboardEvent<HTMLInputElement>): void {
  const step = { ArrowDown: 1, Enter: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const cell = event.currentTarget;
  const ofColumn = `[data-column="${cell.dataset["column"]}"]`;
  const cells = [...(cell.closest("table")?.querySelectorAll<HTMLInputElement>(ofColumn) ?? [])];
  const next = cells[cells.indexOf(cell) + step];
  next?.focus();
  next?.select();
}
