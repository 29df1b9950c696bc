import type { ChecklistLine, WorkItem } from "@ironlease/client/operator";
import { classNames } from "#ui/class-names.ts";
import { CheckBox } from "#ui/field.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Circle, CircleCheck } from "#ui/icons.ts";
import { Panel } from "#ui/panel.tsx";
import { Time } from "#ui/time.tsx";
import { client } from "#desk/data/client.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { useWorkStep } from "./use-work-step.ts";

/** The steps of the item's checklist. The holder ticks them; everyone sees who ticked what. */
export function ChecklistPanel({ item }: { readonly item: WorkItem }) {
  const { username } = usePermissions();
  const { id, checklist = [] } = item;
  if (checklist.length === 0) return null;
  const isMine = item.state === "CLAIMED" && item.claimedBy === username;
  return (
    <Panel title="Checklist">
      <ul className="flex flex-col gap-3">
        {checklist.map((step) => (
          <li key={step.line}>
            {isMine ? (
              <StepBox workId={id} step={step} />
            ) : (
              <div className="flex items-start gap-3 text-sm">
                <StepMark isTicked={step.tickedBy !== null} />
                <span>
                  <Step step={step} />
                </span>
              </div>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Shows a change at once, and the old state again if the service refuses it. */
function StepBox({ workId: id, step }: { readonly workId: string; readonly step: ChecklistLine }) {
  const tick = useWorkStep(client.tickWork);
  const { line, tickedBy } = step;
  return (
    <div className="flex flex-col gap-2">
      <CheckBox
        label={<Step step={step} />}
        isChecked={tick.isPending ? tick.variables.ticked : tickedBy !== null}
        onChange={(ticked) => tick.mutate({ id, line, ticked })}
      />
      {tick.error !== null && <ErrorNotice error={tick.error} />}
    </div>
  );
}

/** Replaces the box for operators who cannot tick it. */
function StepMark({ isTicked }: { readonly isTicked: boolean }) {
  const Icon = isTicked ? CircleCheck : Circle;
  return (
    <>
      <Icon
        aria-hidden
        className={classNames("mt-0.5 size-4.5 shrink-0", isTicked ? "text-good" : "text-quiet")}
      />
      <span className="sr-only">{isTicked ? "Ticked:" : "Not ticked:"}</span>
    </>
  );
}

function Step({ step: { line, tickedBy, tickedAt } }: { readonly step: ChecklistLine }) {
  return (
    <>
      <span className="wrap-anywhere">{line}</span>
      {tickedBy !== null && (
        <span className="block text-quiet">
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
