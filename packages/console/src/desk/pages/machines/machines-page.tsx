import type { Machine } from "@ironlease/client/operator";
import { useState } from "react";
import { Button, LinkButton } from "#ui/button.tsx";
import { SelectField } from "#ui/field.tsx";
import { Boxes, Download, Pencil, Plus, QrCodeIcon, Upload } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { NoValue, type Column } from "#ui/table.tsx";
import { deskRoutes } from "#app/urls.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { Age } from "#desk/shared/age.tsx";
import { useCatalogueChoices } from "#desk/shared/catalogue-choices.ts";
import { useFilters } from "#ui/filters.ts";
import { MachineLink } from "#desk/shared/links.tsx";
import {
  MachineBadges,
  machineStates,
  machineStateWord,
  placeOf,
} from "#desk/shared/machine-state.tsx";
import { PagedTable } from "#ui/paged-table.tsx";
import { SearchForm } from "#ui/search-form.tsx";
import { AddMachineDialog } from "./add-machine-dialog.tsx";
import { ChangeMachineDialog } from "./change-machine-dialog.tsx";
import { ControllerDialog } from "./controller-dialog.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import { useMachines } from "./use-machines.ts";

export function MachinesPage() {
  const filters = useFilters();
  const [isAdding, setIsAdding] = useState(false);
  const [isExporting, setIsExporting] = useState(false);
  const [changed, setChanged] = useState<Machine>();
  const [controlled, setControlled] = useState<Machine>();
  const { can } = usePermissions();
  const machines = useMachines(filters);
  return (
    <Page
      title="Machines"
      lead="Free machines can be rented, unless they are kept out of sale."
      actions={
        <>
          <LinkButton
            to={deskRoutes.machineLabels}
            search={filters.search}
            icon={<QrCodeIcon aria-hidden className="size-4" />}
          >
            Labels
          </LinkButton>
          <Button
            icon={<Download aria-hidden className="size-4" />}
            onClick={() => setIsExporting(true)}
          >
            Export
          </Button>
          <LinkButton
            to={deskRoutes.importMachines}
            icon={<Upload aria-hidden className="size-4" />}
          >
            Import
          </LinkButton>
          <Button
            variant="primary"
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => setIsAdding(true)}
          >
            Add machine
          </Button>
        </>
      }
    >
      <Panel isFlush>
        <MachineFilters />
        <Loaded query={machines}>
          {({ machines: list }) => (
            <PagedTable
              label="Machines"
              columns={columnsWith(setChanged, can("setController") ? setControlled : undefined)}
              rows={list}
              empty={<EmptyState icon={<Boxes className="size-6" />} title="No machines found" />}
            />
          )}
        </Loaded>
      </Panel>
      {isExporting && <ExportDialog onClose={() => setIsExporting(false)} />}
      {isAdding && <AddMachineDialog onClose={() => setIsAdding(false)} />}
      {changed !== undefined && (
        <ChangeMachineDialog machine={changed} onClose={() => setChanged(undefined)} />
      )}
      {controlled !== undefined && (
        <ControllerDialog machine={controlled} onClose={() => setControlled(undefined)} />
      )}
    </Page>
  );
}

function MachineFilters() {
  const filters = useFilters();
  const { regions, configurations } = useCatalogueChoices({
    region: "All regions",
    configuration: "All configurations",
  });
  const select = (name: string, label: string, options: typeof regions) => (
    <SelectField
      name={name}
      label={label}
      value={filters.get(name)}
      onChange={(value) => filters.set({ [name]: value })}
      options={options}
    />
  );
  return (
    <div className="grid gap-4 px-5 py-4 sm:grid-cols-2 sm:px-6 xl:grid-cols-4">
      <SearchForm
        label="Tag, rack, serial, MAC or id"
        text={filters.get("query")}
        onSearch={(query) => filters.set({ query })}
      />
      {select("state", "State", [
        { value: "", label: "All states" },
        ...machineStates.map((state) => ({ value: state, label: machineStateWord(state) })),
      ])}
      {select("configId", "Configuration", configurations)}
      {select("regionId", "Region", regions)}
    </div>
  );
}

function columnsWith(
  onChange: (machine: Machine) => void,
  onControl: ((machine: Machine) => void) | undefined,
): readonly Column<Machine>[] {
  return [
    {
      title: "Asset tag",
      isHeading: true,
      cell: ({ id, assetTag }) => <MachineLink id={id} assetTag={assetTag} />,
    },
    { title: "State", place: "corner", cell: (machine) => <MachineBadges machine={machine} /> },
    { title: "Configuration", place: "detail", cell: ({ configId }) => configId },
    { title: "Region", place: "detail", cell: ({ regionId }) => regionId },
    {
      title: "Place",
      place: "detail",
      cell: (machine) => placeOf(machine) || <NoValue />,
    },
    {
      title: "Controller",
      place: "detail",
      cell: ({ controller, power }) =>
        controller === null ? (
          <NoValue>None</NoValue>
        ) : (
          <span className="flex flex-col">
            <code className="font-mono wrap-anywhere">{controller.address}</code>
            {power !== null && (
              <span className="text-xs text-quiet">
                Power {power.state.toLowerCase()}, seen <Age since={power.at} /> ago
              </span>
            )}
          </span>
        ),
    },
    {
      title: "Actions",
      isTitleHidden: true,
      isNumber: true,
      place: "end",
      cell: (machine) => (
        <span className="-mx-3 inline-flex flex-wrap justify-end gap-1">
          {onControl !== undefined && (
            <Button size="small" variant="quiet" onClick={() => onControl(machine)}>
              Controller<span className="sr-only"> of {machine.assetTag}</span>
            </Button>
          )}
          <Button
            size="small"
            variant="quiet"
            icon={<Pencil aria-hidden className="size-4" />}
            onClick={() => onChange(machine)}
          >
            Edit<span className="sr-only"> {machine.assetTag}</span>
          </Button>
        </span>
      ),
    },
  ];
}
