import type { Machine } from "@ironlease/client/operator";
import { useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "#ui/button.tsx";
import { CheckBox, TextField } from "#ui/field.tsx";
import { useFilters } from "#ui/filters.ts";
import { Boxes, Printer } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { Pager } from "#ui/pager.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { deskRoutes } from "#app/urls.ts";
import { placeOf } from "#desk/shared/machine-state.tsx";
import { SearchForm } from "#ui/search-form.tsx";
import { Label } from "./label.tsx";
import { useMachines } from "./use-machines.ts";

const labelsPerSheet = 24;

/** Chooses machines and prints their labels, under the filters of the list of machines. */
export function LabelsPage() {
  const filters = useFilters();
  const machines = useMachines(filters);
  return (
    <Page
      title="Machine labels"
      crumbs={[{ to: deskRoutes.machines, label: "Machines" }]}
      lead="The QR code opens the machine's page. Sheets are A4 with 3 × 8 labels of 70 × 37 mm. Print at actual size, without margins."
    >
      <Panel>
        <SearchForm
          label="Tag, rack, serial, MAC or id"
          text={filters.get("query")}
          onSearch={(query) => filters.set({ query })}
        />
      </Panel>
      <Loaded query={machines}>
        {({ machines: list }) =>
          list.length === 0 ? (
            <Panel>
              <EmptyState icon={<Boxes className="size-6" />} title="No machines found" />
            </Panel>
          ) : (
            <LabelChoice key={list[0]?.id} machines={list} />
          )
        }
      </Loaded>
    </Page>
  );
}

function LabelChoice({ machines }: { readonly machines: readonly Machine[] }) {
  const [omitted, setOmitted] = useState<ReadonlySet<string>>(new Set());
  const [first, setFirst] = useState("1");
  const chosen = machines.filter(({ id }) => !omitted.has(id));
  const isFirstValid = /^(?:[1-9]|1\d|2[0-4])$/.test(first);
  const toggle = (id: string, isChosen: boolean) => {
    const next = new Set(omitted);
    if (isChosen) next.delete(id);
    else next.add(id);
    setOmitted(next);
  };
  return (
    <Panel
      title={chosen.length === 1 ? "1 label" : `${chosen.length} labels`}
      actions={
        <Button
          size="small"
          variant="primary"
          icon={<Printer aria-hidden className="size-4" />}
          disabled={chosen.length === 0 || !isFirstValid}
          onClick={() => globalThis.print()}
        >
          Print
        </Button>
      }
      isFlush
    >
      <div className="flex max-w-xs flex-col gap-5 px-5 pb-5 sm:px-6">
        <TextField
          name="first"
          label="First free label on the sheet"
          hint="From 1 to 24, row by row"
          inputMode="numeric"
          value={first}
          problem={isFirstValid ? undefined : "must be a whole number from 1 to 24"}
          onChange={setFirst}
        />
        <CheckBox
          label="All machines below"
          isChecked={omitted.size === 0}
          isPartial={omitted.size > 0 && chosen.length > 0}
          onChange={(isAll) => setOmitted(new Set(isAll ? [] : machines.map(({ id }) => id)))}
        />
      </div>
      <ul
        aria-label="Machines"
        className="grid gap-4 border-t border-line p-5 sm:grid-cols-2 sm:px-6 xl:grid-cols-3"
      >
        {machines.map((machine) => (
          <li key={machine.id} className="min-w-0">
            <CheckBox
              label={
                <span className="flex flex-col">
                  <span className="wrap-anywhere">{machine.assetTag}</span>
                  <span className="text-quiet wrap-anywhere">
                    {placeOf(machine) || "No rack recorded"}
                  </span>
                </span>
              }
              isChecked={!omitted.has(machine.id)}
              onChange={(isChosen) => toggle(machine.id, isChosen)}
            />
          </li>
        ))}
      </ul>
      <Pager rows={machines} />
      {createPortal(
        <Sheets machines={chosen} skipped={isFirstValid ? Number(first) - 1 : 0} />,
        document.body,
      )}
    </Panel>
  );
}

/** Outside the app, which does not print while there are sheets. */
function Sheets({
  machines,
  skipped,
}: {
  readonly machines: readonly Machine[];
  readonly skipped: number;
}) {
  const cells = [...Array.from({ length: skipped }, () => undefined), ...machines];
  const sheets = Array.from({ length: Math.ceil(cells.length / labelsPerSheet) }, (_, index) =>
    cells.slice(index * labelsPerSheet, (index + 1) * labelsPerSheet),
  );
  return (
    <div className="label-sheets">
      {sheets.map((sheet, number) => (
        // oxlint-disable-next-line react/no-array-index-key -- a sheet is its position
        <div key={number} className="label-sheet">
          {sheet.map((machine, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- empty places have nothing else
            <div key={place} className="label">
              {machine !== undefined && <Label machine={machine} />}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
