import type { Assignment } from "@ironlease/client";
import { CopyValue } from "#ui/copy-button.tsx";
import type { Column } from "#ui/table.tsx";
import { PtrEditor } from "./ptr-editor.tsx";

/** As they stand on a server's own page, too. */
export const addressColumns: readonly Column<Assignment>[] = [
  {
    title: "Address",
    isHeading: true,
    cell: ({ address, prefixLength }) => (
      <CopyValue text={`${address}/${prefixLength}`} what={`address ${address}`} />
    ),
  },
  { title: "Kind", cell: ({ family }) => `IPv${family}` },
  {
    title: "Reverse DNS",
    cell: (assignment) => <PtrEditor key={assignment.id} assignment={assignment} />,
  },
];
