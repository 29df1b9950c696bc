import { OutcomeUnknown, type Server } from "@ironlease/client";
import { isSessionError, apiErrorOf } from "#data/api-errors.ts";
import { useUsername } from "#data/session.ts";
import { unansweredSince } from "#data/use-idempotent-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { CircleAlert, CircleCheck } from "#ui/icons.ts";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast.tsx";
import { useServerNames } from "#account/shared/use-server-names.ts";
import { serversText, type BulkChange } from "./bulk-changes.ts";
import type { Outcome } from "./send-each.ts";
import { useBulkChange } from "./use-bulk-change.ts";

/** Asks once, then shows the outcome of each server. What failed can be sent again without a second effect. */
export function BulkDialog({
  change,
  selected,
  onClose,
}: {
  readonly change: BulkChange;
  readonly selected: readonly Server[];
  /** Gets the servers that stay selected: all, or those that are not done. */
  readonly onClose: (left: readonly Server[]) => void;
}) {
  const nameOf = useServerNames(selected);
  const servers = selected.filter(change.isPossible);
  const skipped = selected.length - servers.length;
  const { outcomes, isRunning, left, run } = useBulkChange(change, servers);
  const done = servers.length - left.length;
  const close = () => onClose(outcomes.size === 0 ? selected : left);
  const hasFailed = !isRunning && outcomes.size > 0 && left.length > 0;
  const send = async () => {
    if (!(await run())) return;
    toast(`${change.done}: ${serversText(servers.length)}`);
    onClose([]);
  };
  return (
    <Dialog
      isOpen
      title={change.question(serversText(servers.length))}
      description={
        <>
          <p>{change.warning}</p>
          {skipped > 0 && (
            <p>{serversText(skipped)} skipped: not possible or not needed in the current state.</p>
          )}
        </>
      }
      canClose={!isRunning}
      onClose={close}
    >
      {/* Focusable, because it scrolls. */}
      <ul
        aria-label="Servers"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="flex max-h-[min(20rem,40dvh)] flex-col divide-y divide-line overflow-y-auto rounded-md border border-line"
      >
        {servers.map((server) => (
          <li key={server.id} className="flex items-start justify-between gap-4 px-3 py-2 text-sm">
            <span className="min-w-0 font-medium wrap-anywhere">{nameOf(server)}</span>
            {outcomes.has(server.id) ? (
              <OutcomeText outcome={outcomes.get(server.id)} done={change.done} />
            ) : (
              <Earlier slot={change.slotOf?.(server.id)} />
            )}
          </li>
        ))}
      </ul>
      <p role="status" className="min-h-5 text-sm text-quiet">
        {outcomes.size > 0 && `${done} of ${serversText(servers.length)} done`}
        {hasFailed && ". Retrying is safe: no server gets the request twice."}
      </p>
      <DialogActions>
        <Button disabled={isRunning} onClick={close}>
          {outcomes.size === 0 ? "Cancel" : "Close"}
        </Button>
        <Button
          variant="primary"
          isPending={isRunning}
          disabled={left.length === 0}
          onClick={() => void send()}
        >
          {hasFailed ? `Retry ${serversText(left.length)}` : change.confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function OutcomeText({
  outcome,
  done,
}: {
  readonly outcome: Outcome | undefined;
  readonly done: string;
}) {
  if (outcome === undefined) return null;
  if (outcome.kind === "sending") return <span className="text-quiet">Sending…</span>;
  if (outcome.kind === "done") {
    return (
      <span className="flex shrink-0 items-center gap-1.5 text-good">
        <CircleCheck aria-hidden className="size-4" />
        {done}
      </span>
    );
  }
  if (outcome.kind === "waiting") return null;
  return (
    <span className="flex min-w-0 items-start justify-end gap-1.5 text-bad">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="wrap-anywhere">{failureText(outcome.error)}</span>
    </span>
  );
}

/** An earlier request without an answer keeps its key, so that it runs only once. */
function Earlier({ slot }: { readonly slot: string | undefined }) {
  const username = useUsername();
  const since = slot === undefined ? undefined : unansweredSince(slot, username);
  if (since === undefined) return null;
  return (
    <span className="text-end text-warn">
      Retries the request of <Time at={new Date(since).toISOString()} />, which got no answer
    </span>
  );
}

function failureText(error: unknown): string {
  if (isSessionError(error)) return "Not sent: your session ended";
  if (error instanceof OutcomeUnknown) return "The connection was lost";
  return apiErrorOf(error)?.message ?? "Cannot reach the service";
}
