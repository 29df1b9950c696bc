import type { ReadOverviewAnswer } from "@ironlease/client/operator";
import { LinkButton } from "#ui/button.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { deskRoutes } from "#app/urls.ts";
import { Age } from "#desk/shared/age.tsx";
import { kinds } from "#desk/shared/work-kinds.tsx";

/** Open work by kind, with the age of the oldest item. */
export function WorkPanel({ work }: { readonly work: ReadOverviewAnswer["work"] }) {
  const waiting = work.filter(({ open, claimed }) => open + claimed > 0);
  return (
    <Panel
      title="Work"
      actions={
        <LinkButton size="small" to={deskRoutes.work}>
          Open queue
        </LinkButton>
      }
    >
      {waiting.length === 0 ? (
        <EmptyState title="The queue is empty">New requests appear here.</EmptyState>
      ) : (
        <ul aria-label="Open work by kind" className="-mt-1 divide-y divide-line">
          {waiting.map(({ kind, open, claimed, oldestAt, overdue, targetSeconds }) => (
            <li key={kind} className="flex items-baseline justify-between gap-4 py-2.5 text-sm">
              <span className="flex min-w-0 flex-col">
                <TextLink to={deskRoutes.work} search={{ kind }} className="w-fit">
                  {kinds[kind].name}
                </TextLink>
                <span className="text-xs text-quiet">
                  {oldestAt !== null && (
                    <>
                      Oldest: <Age since={oldestAt} />, target {targetSeconds / 3_600} h
                    </>
                  )}
                </span>
              </span>
              <span className="figures whitespace-nowrap">
                <span className="font-medium">{open}</span> open
                {claimed > 0 && <span className="text-quiet"> · {claimed} claimed</span>}
                {overdue > 0 && (
                  <>
                    {" · "}
                    <TextLink
                      to={deskRoutes.work}
                      search={{ kind, state: "ALL", age: "overdue" }}
                      className="text-bad"
                    >
                      {overdue} overdue
                    </TextLink>
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
