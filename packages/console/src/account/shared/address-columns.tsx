import type { Assignment } from "@ironlease/client";
import { CopyValue } from "#ui/copy-button.tsx";
import type { Column } from "#ui/table.tsx";
import { PtrEditor } from "./ptr-editor.tsx";

/** Shared by the network page and the server page. */
export const addressColumns: readonly Column<Assignment>[] = [
  {
    title: "Address",
    isHeading: true,
    cell: ({ address, prefixLength }) => (
      <span className="block sm:min-w-56">
        <CopyValue text={`${address}/${prefixLength}`} what={`address ${address}`} />
      </span>
    ),
  },
  { title: "Version", cell: ({ family }) => `IPv${family}` },
  {
    title: "Reverse DNS",
    place: "labelled",
    cell: (assignment) => (
      <div className="max-w-full card:inline-block">
        <PtrEditor key={assignment.id} assignment={assignment} />
      </div>
    ),
  },
];
