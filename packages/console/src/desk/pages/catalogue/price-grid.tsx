import { useId, useState, type KeyboardEvent } from "react";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { classNames } from "#ui/class-names.ts";
import { Plus } from "#ui/icons.ts";
import { Menu } from "#ui/menu.tsx";
import { Panel } from "#ui/panel.tsx";
import { sentenceOf } from "#ui/sentence-case.ts";
import { EmptyState } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { AddOfferDialog } from "./add-offer-dialog.tsx";
import {
  offerRows,
  priceIn,
  withOffer,
  withOffers,
  type CatalogueDocument,
  type OfferRow,
} from "./offer-rows.ts";
import { countProblems, type Problems } from "./problems.ts";
import { ScheduleDialog } from "./schedule-dialog.tsx";

type Change = Parameters<typeof withOffer>[2];

/** Prices by configuration, region and term. Edits go into the same draft as those in the JSON. */
export function PriceGrid({
  document,
  problems,
  canEdit,
  onChange,
}: {
  readonly document: CatalogueDocument;
  readonly problems: Problems;
  readonly canEdit: boolean;
  readonly onChange: (document: CatalogueDocument) => void;
}) {
  const [scheduling, setScheduling] = useState<OfferRow>();
  const [isAdding, setIsAdding] = useState(false);
  const rows = offerRows(document);
  const change = (row: OfferRow, changes: Change) => onChange(withOffer(document, row, changes));
  const remove = ({ configId, offer }: OfferRow) =>
    onChange(
      withOffers(document, configId, (offers) =>
        offers.filter(({ regionId }) => regionId !== offer.regionId),
      ),
    );
  return (
    <Panel
      isFlush
      title="Prices"
      description={
        canEdit ? "Type in the cells. Arrow keys move between the prices of a column." : undefined
      }
      actions={
        canEdit && (
          <Button
            size="small"
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => setIsAdding(true)}
          >
            Add offer
          </Button>
        )
      }
    >
      {rows.length === 0 ? (
        <EmptyState title="No offers yet" />
      ) : (
        <Table
          label="Prices"
          isDense
          columns={columnsWith({ problems, canEdit, change, remove, onSchedule: setScheduling })}
          rows={rows}
          keyOf={({ configId, offer }) => `${configId} ${offer.regionId}`}
        />
      )}
      {isAdding && (
        <AddOfferDialog
          document={document}
          onAdd={(configId, offer) => {
            onChange(withOffers(document, configId, (offers) => [...offers, offer]));
            setIsAdding(false);
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
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
    </Panel>
  );
}

interface Editing {
  readonly problems: Problems;
  readonly canEdit: boolean;
  readonly change: (row: OfferRow, changes: Change) => void;
  readonly remove: (row: OfferRow) => void;
  readonly onSchedule: (row: OfferRow) => void;
}

function columnsWith(editing: Editing): readonly Column<OfferRow>[] {
  const { problems, canEdit, change, remove, onSchedule } = editing;
  const price = (name: "weeklyUsd" | "monthlyUsd", title: string): Column<OfferRow> => ({
    title,
    isNumber: true,
    place: "labelled",
    cell: (row) => (
      <PriceCell
        label={`${title} of ${row.configId} in ${row.offer.regionId}`}
        column={name}
        usd={row.offer[name]}
        problem={problems.get(`${row.path}.${name}`)}
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
    {
      title: "Region",
      place: "corner",
      cell: ({ offer, path }) => (
        <>
          {offer.regionId}
          <Problem text={problems.get(`${path}.regionId`)} />
        </>
      ),
    },
    price("weeklyUsd", "Weekly USD"),
    price("monthlyUsd", "Monthly USD"),
    {
      title: "Status",
      place: "corner",
      cell: ({ path, offer: { hidden, scheduledPrices = [] } }) => (
        <span className="flex flex-wrap gap-1">
          {hidden === true ? <Badge tone="warn">Hidden</Badge> : <Badge tone="good">On sale</Badge>}
          {scheduledPrices.length > 0 && (
            <Badge tone="wait">{scheduledPrices.length} scheduled</Badge>
          )}
          {countProblems(problems, `${path}.scheduledPrices`) > 0 && (
            <Badge tone="bad">Check the schedule</Badge>
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
            place: "end",
            cell: (row: OfferRow) => (
              <Menu
                isIconOnly
                label={`Actions for ${row.configId} in ${row.offer.regionId}`}
                actions={[
                  { label: "Schedule prices", onChoose: () => onSchedule(row) },
                  row.offer.hidden === true
                    ? { label: "Sell again", onChoose: () => change(row, { hidden: undefined }) }
                    : { label: "Hide offer", onChoose: () => change(row, { hidden: true }) },
                  { label: "Remove offer", isDangerous: true, onChoose: () => remove(row) },
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
  problem,
  isReadOnly,
  onChange,
}: {
  readonly label: string;
  readonly column: string;
  readonly usd: number;
  /** What the server refused about it. */
  readonly problem: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (usd: number) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const messageId = useId();
  const isWrong = problem !== undefined || (typed !== undefined && priceIn(typed) === undefined);
  return (
    <>
      <input
        aria-label={label}
        aria-invalid={isWrong || undefined}
        aria-describedby={problem === undefined ? undefined : messageId}
        data-column={column}
        inputMode="decimal"
        readOnly={isReadOnly}
        value={typed ?? usd.toFixed(2)}
        className={classNames(
          "figures h-9 w-28 @max-[32rem]:block rounded-md border bg-surface px-2 text-end text-base sm:text-sm",
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
      <Problem id={messageId} text={problem} />
    </>
  );
}

function Problem({ id, text }: { readonly id?: string; readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p id={id} className="text-xs font-medium text-bad">
      {sentenceOf(text)}
    </p>
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
