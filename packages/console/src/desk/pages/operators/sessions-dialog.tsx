import type { Session } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Monitor } from "#ui/icons.ts";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast.tsx";
import { userAgentText } from "#ui/user-agent-text.ts";
import { client } from "#desk/data/client.ts";
import { keys, reads } from "#desk/data/reads.ts";
import type { OperatorDialog } from "./operator-dialog.ts";

export function SessionsDialog({ operator: { id, username }, onClose }: OperatorDialog) {
  const sessions = useQuery(reads.operatorSessions(id));
  const end = useChange(client.endOperatorSession, [keys.operators]);
  return (
    <Dialog isOpen title={`Sessions of ${username}`} onClose={onClose}>
      {end.error !== null && <ErrorNotice error={end.error} />}
      <Loaded query={sessions}>
        {({ sessions: list }) =>
          list.length === 0 ? (
            <EmptyState icon={<Monitor className="size-6" />} title="Not signed in">
              This operator has no active session.
            </EmptyState>
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {list.map((session) => (
                <Row
                  key={session.id}
                  session={session}
                  isPending={end.isPending && end.variables.sessionId === session.id}
                  onEnd={() =>
                    end.mutate(
                      { id, sessionId: session.id },
                      { onSuccess: () => toast("Session ended") },
                    )
                  }
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Row({
  session: { ipAddress, userAgent, lastSeenAt, current },
  isPending,
  onEnd,
}: {
  readonly session: Session;
  readonly isPending: boolean;
  readonly onEnd: () => void;
}) {
  return (
    <li className="flex items-center justify-between gap-4 py-3 text-sm first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere" title={userAgent}>
          {userAgentText(userAgent)}
        </p>
        <p className="text-quiet">
          <code className="font-mono wrap-anywhere">{ipAddress}</code>, last used{" "}
          <Time at={lastSeenAt} />
        </p>
      </div>
      {current ? (
        <span className="shrink-0 text-quiet">This session</span>
      ) : (
        <Button size="small" isPending={isPending} onClick={onEnd}>
          End<span className="sr-only"> the session from {ipAddress}</span>
        </Button>
      )}
    </li>
  );
}
