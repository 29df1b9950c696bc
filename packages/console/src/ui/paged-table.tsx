import type { ReactNode } from "react";
import { Table, type Column } from "./table.tsx";
import { Pager } from "./pager.tsx";

/** One page of a list, with links to the others. `empty` is shown instead when there are no rows. */
export function PagedTable<Row extends { readonly id: string }>({
  label,
  columns,
  rows,
  empty,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly empty: ReactNode;
}) {
  if (rows.length === 0) return empty;
  return (
    <>
      <Table label={label} isDense columns={columns} rows={rows} keyOf={({ id }) => id} />
      <Pager rows={rows} />
    </>
  );
}
