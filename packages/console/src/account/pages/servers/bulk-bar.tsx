import type { Server } from "@ironlease/client";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { bulkChanges, serversText, type BulkChange } from "./bulk-changes.ts";
import { BulkDialog } from "./bulk-dialog.tsx";

/** Changes of the selected servers. Stays in view while the list scrolls. */
export function BulkBar({
  selected,
  onSelect,
}: {
  readonly selected: readonly Server[];
  readonly onSelect: (servers: readonly Server[]) => void;
}) {
  const [change, setChange] = useState<BulkChange>();
  if (selected.length === 0) return null;
  return (
    <section
      aria-label="Selected servers"
      className="sticky bottom-0 z-10 flex flex-wrap items-center gap-2 border-t border-line bg-surface p-3 shadow-float sm:px-6"
    >
      <div className="mr-auto flex items-center gap-2">
        <p role="status" className="text-sm font-medium">
          {serversText(selected.length)} selected
        </p>
        <Button size="small" variant="quiet" onClick={() => onSelect([])}>
          Clear
        </Button>
      </div>
      {Object.values(bulkChanges).map((one) => (
        <Button
          key={one.button}
          size="small"
          disabled={!selected.some((server) => one.isPossible(server))}
          onClick={() => setChange(one)}
        >
          {one.button}
        </Button>
      ))}
      {change !== undefined && (
        <BulkDialog
          change={change}
          selected={selected}
          onClose={(left) => {
            setChange(undefined);
            onSelect(left);
          }}
        />
      )}
    </section>
  );
}
