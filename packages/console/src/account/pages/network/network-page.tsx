import type { Assignment } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { SelectField, TextField } from "#ui/field.tsx";
import { Network } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { useServerNames } from "#account/shared/use-server-names.ts";
import { reads } from "#account/data/reads.ts";
import { addressColumns } from "#account/shared/address-columns.tsx";
import { filterAssignments, type Family } from "./filter-assignments.ts";

export function NetworkPage() {
  const network = useQuery(reads.network);
  const { data: servers } = useQuery(reads.servers);
  const [text, setText] = useState("");
  const [family, setFamily] = useState<Family>("");
  const serverNameOf = useServerNames(servers?.servers);
  const nameOf = (id: string) => {
    const found = servers?.servers.find((server) => server.id === id);
    return found === undefined ? id : serverNameOf(found);
  };
  return (
    <Page title="Network" lead={leadOf(network.data?.assignments)}>
      <Panel isFlush>
        <Loaded query={network}>
          {({ assignments }) => {
            if (assignments.length === 0) {
              return (
                <EmptyState icon={<Network className="size-6" />} title="No addresses yet">
                  Addresses are assigned when a server is delivered.
                </EmptyState>
              );
            }
            const found = filterAssignments(assignments, text, family, nameOf);
            return (
              <>
                <div className="grid gap-4 p-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] sm:p-6 lg:max-w-3xl">
                  <TextField
                    name="find"
                    label="Search"
                    type="search"
                    placeholder="Address, DNS name or server"
                    value={text}
                    onChange={setText}
                  />
                  <SelectField
                    name="family"
                    label="Version"
                    value={family}
                    onChange={setFamily}
                    options={[
                      { value: "", label: "IPv4 and IPv6" },
                      { value: "4", label: "IPv4" },
                      { value: "6", label: "IPv6" },
                    ]}
                  />
                </div>
                {found.length === 0 ? (
                  <EmptyState
                    title="No matches"
                    action={
                      <Button
                        onClick={() => {
                          setText("");
                          setFamily("");
                        }}
                      >
                        Clear filters
                      </Button>
                    }
                  />
                ) : (
                  <Table
                    label="Addresses"
                    columns={columnsWith(nameOf)}
                    rows={found}
                    keyOf={({ id }) => id}
                  />
                )}
              </>
            );
          }}
        </Loaded>
      </Panel>
    </Page>
  );
}

/** Where no DNS server is connected, the names are only stored. */
function leadOf(assignments: readonly Assignment[] = []): string {
  return assignments.some(({ ptrPublished }) => ptrPublished !== null)
    ? "A reverse DNS name is pending until the name servers answer with it."
    : "Reverse DNS names are your saved settings; public DNS may differ.";
}

function columnsWith(nameOf: (serverId: string) => string): readonly Column<Assignment>[] {
  return [
    ...addressColumns,
    {
      title: "Server",
      isFreeText: true,
      place: "detail",
      cell: ({ serverId }) => (
        <TextLink to={urlOf(accountRoutes.server, { id: serverId })} className="py-1">
          {nameOf(serverId)}
        </TextLink>
      ),
    },
  ];
}
