import type { Subnet } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { SelectField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { Network } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import type { Column } from "#ui/table.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys, reads } from "#desk/data/reads.ts";
import { useCatalogueChoices } from "#desk/shared/catalogue-choices.ts";
import { optional, useFilters } from "#ui/filters.ts";
import { PagedTable } from "#ui/paged-table.tsx";
import { ChangeSubnetDialog } from "./change-subnet-dialog.tsx";
import { NetworkFields, useNetworkFields } from "./network-fields.tsx";
import { subnetCapacity } from "./subnet-capacity.ts";

export function SubnetsPage() {
  const filters = useFilters();
  const { regions } = useCatalogueChoices({ region: "All regions", configuration: "" });
  const subnets = useQuery(
    reads.subnets({
      regionId: optional(filters.get("regionId")),
      after: optional(filters.get("after")),
    }),
  );
  const [edited, setEdited] = useState<Subnet>();
  return (
    <Page title="Subnets" lead="Servers get their addresses from the subnets of their region.">
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <Panel isFlush>
          <div className="px-5 py-4 sm:max-w-xs sm:px-6">
            <SelectField
              name="filterRegion"
              label="Region"
              value={filters.get("regionId")}
              onChange={(regionId) => filters.set({ regionId })}
              options={regions}
            />
          </div>
          <Loaded query={subnets}>
            {({ subnets: list }) => (
              <PagedTable
                label="Subnets"
                columns={columnsWith(setEdited)}
                rows={list}
                empty={
                  <EmptyState icon={<Network className="size-6" />} title="No subnets found">
                    Servers cannot be delivered in a region without subnets.
                  </EmptyState>
                }
              />
            )}
          </Loaded>
        </Panel>
        <AddSubnet />
      </div>
      {edited !== undefined && (
        <ChangeSubnetDialog subnet={edited} onClose={() => setEdited(undefined)} />
      )}
    </Page>
  );
}

function AddSubnet() {
  const { regions } = useCatalogueChoices();
  const [regionId, setRegionId] = useState("");
  const [cidr, setCidr] = useState("");
  const [reverseZone, setReverseZone] = useState("");
  const network = useNetworkFields();
  const add = useChange(client.addSubnet, [keys.subnets]);
  const chosen = regionId === "" ? (regions[0]?.value ?? "") : regionId;
  return (
    <Panel title="Add subnet">
      <Form
        label="Add subnet"
        error={add.error}
        onSubmit={() =>
          add.mutate(
            {
              regionId: chosen,
              cidr: cidr.trim(),
              ...(reverseZone.trim() !== "" && { reverseZone: reverseZone.trim() }),
              ...network.valuesFor(cidr),
            },
            {
              onSuccess: () => {
                toast("Subnet added");
                setCidr("");
                setReverseZone("");
                network.clear();
              },
            },
          )
        }
      >
        <SelectField
          name="regionId"
          label="Region"
          value={chosen}
          options={regions}
          onChange={setRegionId}
        />
        <TextField
          name="cidr"
          label="Network"
          hint="Must not overlap another subnet"
          placeholder="198.51.100.0/24"
          value={cidr}
          onChange={setCidr}
          autoComplete="off"
          spellCheck={false}
          isMono
        />
        <TextField
          name="reverseZone"
          label="Reverse zone (optional)"
          hint="For an IPv4 network smaller than /24: the zone that your upstream delegates"
          placeholder="64-26.100.51.198.in-addr.arpa"
          value={reverseZone}
          onChange={setReverseZone}
          autoComplete="off"
          spellCheck={false}
          isMono
        />
        <NetworkFields fields={network} isIpv6={cidr.includes(":")} />
        <div className="flex flex-wrap items-center gap-4">
          <Button
            type="submit"
            variant="primary"
            isPending={add.isPending}
            disabled={cidr.trim() === ""}
          >
            Add subnet
          </Button>
          {add.data !== undefined && (
            <p role="status" className="text-sm text-good">
              {add.data.cidr} added.
            </p>
          )}
        </div>
      </Form>
    </Panel>
  );
}

function columnsWith(onEdit: (subnet: Subnet) => void): readonly Column<Subnet>[] {
  return [
    {
      title: "Network",
      isHeading: true,
      cell: ({ cidr, regionId, reverseZone }) => (
        <Lines
          first={<code className="font-mono">{cidr}</code>}
          second={reverseZone === null ? regionId : `${regionId}, ${reverseZone}`}
        />
      ),
    },
    {
      title: "Gateway and VLAN",
      place: "labelled",
      cell: ({ gateway, vlan }) => (
        <Lines
          first={gateway === null ? "Not set" : <code className="font-mono">{gateway}</code>}
          second={vlan === null ? "No VLAN" : `VLAN ${vlan}`}
        />
      ),
    },
    {
      title: "In use",
      place: "labelled",
      cell: ({ cidr, assigned }) => (
        <span className="flex max-w-48 flex-col gap-1 card:inline">
          <span className="figures whitespace-nowrap">
            {assigned} of {subnetCapacity(cidr).toLocaleString("en-GB")}
          </span>
          <span className="card:hidden">
            <progress
              className="bar"
              aria-label={`${assigned} of ${subnetCapacity(cidr)} in use`}
              value={assigned}
              max={subnetCapacity(cidr)}
            />
          </span>
        </span>
      ),
    },
    {
      title: "Actions",
      isTitleHidden: true,
      isNumber: true,
      place: "corner",
      cell: (subnet) => (
        <Button size="small" onClick={() => onEdit(subnet)}>
          Edit<span className="sr-only"> {subnet.cidr}</span>
        </Button>
      ),
    },
  ];
}

function Lines({ first, second }: { readonly first: ReactNode; readonly second: string }) {
  return (
    <span className="flex flex-col card:inline">
      {first}
      <span className="hidden card:inline"> · </span>
      <span className="text-xs font-normal wrap-anywhere text-quiet">{second}</span>
    </span>
  );
}
