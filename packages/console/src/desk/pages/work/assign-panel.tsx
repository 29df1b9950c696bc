import type { WorkItem } from "@ironlease/client/operator";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { AssignDialog } from "./assign-dialog.tsx";
import { useWorkStep } from "./use-work-step.ts";

/** Who should do an item that has not ended. */
export function AssignPanel({ item }: { readonly item: WorkItem }) {
  const { id, kind, assignedTo, endedAt } = item;
  const { username = "", canWork } = usePermissions();
  const [isOpen, setIsOpen] = useState(false);
  const assign = useWorkStep(client.assignWork);
  if (endedAt !== null) return null;
  const isMine = assignedTo === username;
  const give = (operator: string | null) =>
    assign.mutate(
      { id, operator },
      {
        onSuccess: ({ assignedTo: to }) => {
          setIsOpen(false);
          toast(to === null ? "Assigned to no one" : `Assigned to ${to}`);
        },
      },
    );
  return (
    <Panel title="Assignment">
      <div className="flex flex-col gap-4">
        {assign.error !== null && !isOpen && <ErrorNotice error={assign.error} />}
        <p className="text-sm">
          {assignedTo === null ? (
            <span className="text-quiet">No one</span>
          ) : (
            <span className="font-medium wrap-anywhere">{assignedTo}</span>
          )}
        </p>
        {canWork(kind) && (
          <div className="flex flex-wrap gap-2">
            <Button
              size="small"
              isPending={assign.isPending && !isOpen}
              onClick={() => give(isMine ? null : username)}
            >
              {isMine ? "Unassign" : "Assign to me"}
            </Button>
            <Button
              size="small"
              onClick={() => {
                assign.reset();
                setIsOpen(true);
              }}
            >
              Assign…
            </Button>
          </div>
        )}
      </div>
      {isOpen && (
        <AssignDialog
          items={[item]}
          error={assign.error}
          isPending={assign.isPending}
          onAssign={give}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Panel>
  );
}
