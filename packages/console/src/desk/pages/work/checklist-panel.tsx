import type { ChecklistLine, WorkItem } from "@ironlease/client/operator";
import { CheckBox } from "#ui/field.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { Time } from "#ui/time.tsx";
import { client } from "#desk/data/client.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { useWorkStep } from "./use-work-step.ts";

/** The steps of the item's checklist. The holder ticks them; everyone sees who ticked what. */
export function ChecklistPanel({ item }: { readonly item: WorkItem }) {
  const { username } = usePermissions();
  const tick = useWorkStep(client.tickWork);
  const { id, checklist = [] } = item;
  if (checklist.length === 0) return null;
  const isMine = item.state === "CLAIMED" && item.claimedBy === username;
  // The box shows the change at once, and its old state again if the service refuses it.
  const isTicked = ({ line, tickedBy }: ChecklistLine) =>
    tick.isPending && tick.variables.line === line ? tick.variables.ticked : tickedBy !== null;
  return (
    <Panel title="Checklist">
      <div className="flex flex-col gap-4">
        {tick.error !== null && <ErrorNotice error={tick.error} />}
        <ul className="flex flex-col gap-3">
          {checklist.map((step) => (
            <li key={step.line}>
              {isMine ? (
                <CheckBox
                  label={<Step step={step} />}
                  isChecked={isTicked(step)}
                  onChange={(ticked) => tick.mutate({ id, line: step.line, ticked })}
                />
              ) : (
                <p className="text-sm">
                  <Step step={step} isStateShown />
                </p>
              )}
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}

function Step({
  step: { line, tickedBy, tickedAt },
  isStateShown = false,
}: {
  readonly step: ChecklistLine;
  /** Without a box, the words say whether it is ticked. */
  readonly isStateShown?: boolean;
}) {
  return (
    <>
      <span className="wrap-anywhere">{line}</span>
      {tickedBy === null && isStateShown && <span className="text-quiet"> (not ticked)</span>}
      {tickedBy !== null && (
        <span className="block text-quiet">
          {isStateShown && "Ticked by "}
          {tickedBy}
          {tickedAt !== null && (
            <>
              , <Time at={tickedAt} />
            </>
          )}
        </span>
      )}
    </>
  );
}
