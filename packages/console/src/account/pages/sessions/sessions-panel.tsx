import { isError, type Session } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { userAgentText } from "#ui/user-agent-text.ts";

export function SessionsPanel() {
  const sessions = useQuery(reads.sessions);
  const [ended, setEnded] = useState<readonly Session[]>();
  const revoke = useChange(revokeAll, [reads.sessions.queryKey]);
  const others = sessions.data?.sessions.filter(({ current }) => !current) ?? [];
  const close = () => {
    setEnded(undefined);
    revoke.reset();
  };
  return (
    <Panel
      title="Sessions"
      description="Ending a session signs it out at once."
      isFlush
      actions={
        others.length > 0 && (
          <Button onClick={() => setEnded(others)}>End all other sessions</Button>
        )
      }
    >
      <Loaded query={sessions}>
        {({ sessions: list }) => (
          <Table
            label="Sessions"
            columns={columnsWith((session) => setEnded([session]))}
            rows={list}
            keyOf={({ id }) => id}
          />
        )}
      </Loaded>
      {ended !== undefined && (
        <ConfirmDialog
          isOpen
          title={ended.length === 1 ? "End this session?" : `End ${ended.length} sessions?`}
          description={
            <p>
              {ended.length === 1 ? "That browser has" : "Those browsers have"} to sign in again.
            </p>
          }
          confirmLabel={ended.length === 1 ? "End session" : "End sessions"}
          isDangerous
          isPending={revoke.isPending}
          error={revoke.error}
          onConfirm={() =>
            revoke.mutate(ended, {
              onSuccess: () => {
                close();
                toast(ended.length === 1 ? "Session ended" : `${ended.length} sessions ended`);
              },
            })
          }
          onClose={close}
        />
      )}
    </Panel>
  );
}

/** A session that has already ended counts as revoked. */
async function revokeAll(sessions: readonly Session[]): Promise<void> {
  for (const { id } of sessions) {
    try {
      await client.revokeSession({ id });
    } catch (error) {
      if (!isError(error, "revokeSession", "not_found")) throw error;
    }
  }
}

function columnsWith(onEnd: (session: Session) => void): readonly Column<Session>[] {
  return [
    {
      title: "Browser",
      isHeading: true,
      cell: ({ userAgent, current }) => (
        <span className="flex flex-wrap items-center gap-2" title={userAgent}>
          {userAgentText(userAgent)}
          {current && <Badge tone="good">This session</Badge>}
        </span>
      ),
    },
    {
      title: "IP address",
      place: "detail",
      cell: ({ ipAddress }) => <code className="font-mono">{ipAddress}</code>,
    },
    { title: "Signed in", place: "labelled", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { title: "Last seen", place: "labelled", cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
    { title: "Expires", place: "labelled", cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    {
      title: "Actions",
      isTitleHidden: true,
      isNumber: true,
      place: "corner",
      cell: (session) =>
        session.current ? null : (
          <Button size="small" onClick={() => onEnd(session)}>
            End<span className="sr-only"> session of {userAgentText(session.userAgent)}</span>
          </Button>
        ),
    },
  ];
}
