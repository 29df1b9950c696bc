import type { PastServer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { catalogueNames, type CatalogueNames } from "#data/catalogue-names.ts";
import { IdText } from "#ui/id-text.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { reads } from "#account/data/reads.ts";
import { nameColumn, specificationColumn } from "./server-columns.tsx";

/** Terminated servers, latest first. The service lists the latest 100. */
export function PastServers({ query }: { readonly query: string }) {
  const past = useQuery(reads.pastServers);
  const { data: catalogue } = useQuery(reads.catalogue);
  const wanted = query.toLowerCase();
  const isFound = ({ id, label, hostname }: PastServer) =>
    [id, label, hostname ?? ""].some((text) => text.toLowerCase().includes(wanted));
  return (
    <Loaded query={past}>
      {({ pastServers }) => {
        const found = pastServers.filter(isFound);
        return found.length === 0 ? (
          <EmptyState title={query === "" ? "No terminated servers" : "No servers match"} />
        ) : (
          <Table
            label="Terminated servers"
            isSticky
            columns={pastColumns(catalogueNames(catalogue))}
            rows={found}
            keyOf={({ id }) => id}
          />
        );
      }}
    </Loaded>
  );
}

const pastColumns = (names: CatalogueNames): readonly Column<PastServer>[] => [
  nameColumn(names, false),
  specificationColumn(names),
  { title: "Ordered", cell: ({ createdAt }) => <Time at={createdAt} isDay /> },
  { title: "Ended", place: "corner", cell: ({ endedAt }) => <Time at={endedAt} isDay /> },
  {
    title: "Server id",
    place: "detail",
    cell: ({ id }) => <IdText id={id} what="server id" />,
  },
];
