import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { CheckBox, TextArea } from "#ui/field.tsx";
import { kinds } from "#desk/shared/work-kinds.tsx";
import { summaryOf } from "#desk/shared/work-detail.ts";
import { AssignDialog } from "./assign-dialog.tsx";
import type { Bulk } from "./use-bulk.ts";

/** Selects all items of the page, and claims, completes or assigns the selected ones. */
export function BulkBar({ bulk }: { readonly bulk: Bulk }) {
  const { chosen, choosable, claimable, completable, assignable, choose, run, running, results } =
    bulk;
  const [isCompleting, setIsCompleting] = useState(false);
  const [isAssigning, setIsAssigning] = useState(false);
  if (choosable.length === 0 && running === undefined) return null;
  const ids = choosable.map(({ id }) => id);
  const isBusy = running !== undefined;
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-2 sm:px-6">
      <CheckBox
        label={chosen.size === 0 ? "Select all" : `${chosen.size} selected`}
        isChecked={chosen.size > 0 && chosen.size === ids.length}
        isPartial={chosen.size > 0 && chosen.size < ids.length}
        onChange={(isChosen) => choose(ids, isChosen)}
      />
      {claimable.length > 0 && (
        <Button
          size="small"
          isPending={running?.step === "claim"}
          disabled={isBusy}
          onClick={() => void run("claim")}
        >
          Claim {claimable.length}
        </Button>
      )}
      {completable.length > 0 && (
        <Button size="small" disabled={isBusy} onClick={() => setIsCompleting(true)}>
          Complete {completable.length}…
        </Button>
      )}
      {assignable.length > 0 && (
        <Button size="small" disabled={isBusy} onClick={() => setIsAssigning(true)}>
          Assign {assignable.length}…
        </Button>
      )}
      {running !== undefined && (
        <span role="status" className="figures text-sm text-quiet">
          {results.length} of {running.total}
        </span>
      )}
      {isAssigning && (
        <AssignDialog
          items={assignable}
          error={null}
          isPending={false}
          onAssign={(operator) => {
            setIsAssigning(false);
            void run("assign", operator ?? "");
          }}
          onClose={() => setIsAssigning(false)}
        />
      )}
      {isCompleting && (
        <CompleteDialog
          bulk={bulk}
          onClose={() => setIsCompleting(false)}
          onConfirm={(note) => {
            setIsCompleting(false);
            void run("complete", note);
          }}
        />
      )}
    </div>
  );
}

function CompleteDialog({
  bulk: { completable },
  onConfirm,
  onClose,
}: {
  readonly bulk: Bulk;
  readonly onConfirm: (note: string) => void;
  readonly onClose: () => void;
}) {
  const [note, setNote] = useState("");
  const items = completable.length === 1 ? "1 item" : `${completable.length} items`;
  return (
    <ConfirmDialog
      isOpen
      title={`Complete ${items}?`}
      description={
        <>
          <p>Confirm that all of this is done. Each customer gets a message.</p>
          <ul className="max-h-48 list-disc overflow-y-auto pl-5">
            {completable.map((item) => (
              <li key={item.id} className="wrap-anywhere">
                {kinds[item.kind].name}: {summaryOf(item)}, {item.username}
              </li>
            ))}
          </ul>
        </>
      }
      confirmLabel={`Complete ${items}`}
      isPending={false}
      error={null}
      onConfirm={() => onConfirm(note.trim())}
      onClose={onClose}
    >
      <TextArea
        name="note"
        label="Note"
        hint="The same for every item. Customers read it with the outcome."
        rows={2}
        value={note}
        onChange={setNote}
      />
    </ConfirmDialog>
  );
}
