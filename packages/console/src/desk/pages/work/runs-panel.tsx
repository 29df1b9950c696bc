import type { ListRunsAnswer, WorkItem } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { Badge, type BadgeTone } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { sentenceCase } from "#ui/sentence-case.ts";
import { Time } from "#ui/time.tsx";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
import { client } from "#desk/data/client.ts";
import { keys, reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { Age } from "#desk/shared/age.tsx";

type Run = ListRunsAnswer["runs"][number];
type Step = "force" | "status";

const tones: Readonly<Record<Run["state"], BadgeTone>> = {
  QUEUED: "wait",
  RUNNING: "wait",
  SUCCEEDED: "good",
  FAILED: "bad",
  UNKNOWN: "warn",
};
const labels: Readonly<Record<string, string>> = { force: "Force off", status: "Read power state" };

/** What the machine's controller can do for the item, and the runs so far with their evidence. */
export function RunsPanel({ item }: { readonly item: WorkItem }) {
  const runs = useQuery(reads.runs(item.id));
  return (
    <Panel title="Machine controller">
      <Loaded query={runs}>
        {(list) => (
          <div className="flex flex-col gap-5">
            {list.power !== null && (
              <p className="text-sm">
                Power {list.power.state.toLowerCase()}, seen <Age since={list.power.at} /> ago
              </p>
            )}
            {list.byHand !== null && (
              <Notice title="By hand">
                <p>{list.byHand}</p>
              </Notice>
            )}
            <Offers item={item} list={list} />
            {list.runs.length > 0 && (
              <ul aria-label="Runs" className="flex flex-col gap-4">
                {list.runs.map((run, index) => (
                  <li key={run.id}>
                    <RunDetails run={run} isOpen={index === 0} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

function Offers({ item, list }: { readonly item: WorkItem; readonly list: ListRunsAnswer }) {
  const { username } = usePermissions();
  const run = useIdempotentChange("run", client.runWork, [keys.work]);
  const { unanswered } = run;
  const isMine = item.state === "CLAIMED" && item.claimedBy === username;
  const isLiving = list.runs.some(({ state }) => state === "QUEUED" || state === "RUNNING");
  if (list.offers.length === 0 || item.state === "DONE" || item.state === "FAILED") return null;
  return (
    <div className="flex flex-col gap-4">
      {unanswered === undefined ? (
        run.error !== null && <ErrorNotice error={run.error} />
      ) : (
        <UnansweredNotice
          what="Your run"
          at={unanswered.at}
          isPending={run.isPending}
          onRetry={() => run.mutate(unanswered.request)}
          onDiscard={run.discard}
        />
      )}
      {!isMine && <p className="text-sm text-quiet">Claim this item to run anything.</p>}
      {list.offers.map(({ step, does }) => (
        <div key={step} className="flex flex-col gap-2 sm:flex-row sm:items-center sm:gap-4">
          <Button
            size="small"
            variant={step === "force" ? "danger" : "secondary"}
            disabled={!isMine || isLiving || run.isPending || unanswered !== undefined}
            onClick={() =>
              run.mutate({ id: item.id, ...(step !== null && { step: step as Step }) })
            }
          >
            {labels[step ?? ""] ?? "Run"}
          </Button>
          <p className="min-w-0 text-sm wrap-anywhere text-quiet">{does}</p>
        </div>
      ))}
    </div>
  );
}

function RunDetails({ run, isOpen }: { readonly run: Run; readonly isOpen: boolean }) {
  const { state, step, startedAt, endedAt } = run;
  // The last entry of a run that has ended says how and why.
  const end = endedAt === null ? undefined : run.evidence.at(-1);
  const evidence = end === undefined ? run.evidence : run.evidence.slice(0, -1);
  return (
    <details open={isOpen} className="rounded-lg border border-line p-4">
      <summary className="cursor-pointer text-sm">
        <span className="mx-2">
          <Badge tone={tones[state]}>{sentenceCase(state)}</Badge>
        </span>
        <span className="mr-3">{labels[step ?? ""] ?? "Run"}</span>
        {startedAt !== null && <Time at={startedAt} />}
      </summary>
      {end !== undefined && <p className="mt-3 text-sm wrap-anywhere">{end.answer}</p>}
      <ol aria-label="Evidence" className="mt-3 flex flex-col gap-2 text-sm">
        {evidence.map(({ at, request, answer, observed }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- evidence is only ever appended
          <li key={`${at} ${index}`} className="flex flex-col gap-0.5 border-t border-line pt-2">
            <code className="font-mono text-xs wrap-anywhere text-quiet">{request}</code>
            <span className="wrap-anywhere">
              {answer}
              {observed !== null && ` (${observed})`}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
