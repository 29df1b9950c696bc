import { useQuery } from "@tanstack/react-query";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { Badge } from "#ui/badge.tsx";
import { LinkButton } from "#ui/button.tsx";
import { Panel } from "#ui/panel.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { reads } from "#account/data/reads.ts";

/** The server's own thread, where operators report the outcome of requests. */
export function MessagesPanel({ serverId }: { readonly serverId: string }) {
  const { data } = useQuery(reads.threads);
  const thread = data?.threads.find((candidate) => candidate.serverId === serverId);
  return (
    <Panel title="Messages" description="Operators report the outcome of your requests here.">
      <div className="flex flex-col gap-4 text-sm">
        {thread !== undefined && (
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <TextLink to={urlOf(accountRoutes.thread, { id: thread.id })}>
              {thread.subject}
            </TextLink>
            {thread.unread > 0 && <Badge tone="wait">{thread.unread} new</Badge>}
            <span className="text-quiet">
              <Time at={thread.lastMessageAt} />
            </span>
          </p>
        )}
        <div>
          <LinkButton size="small" to={accountRoutes.newMessage} search={{ server: serverId }}>
            Write to the operators
          </LinkButton>
        </div>
      </div>
    </Panel>
  );
}
