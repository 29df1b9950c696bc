import type { ReadServerAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { accountRoutes } from "#app/urls.ts";
import { LinkButton } from "#ui/button.tsx";
import { MessageSquare } from "#ui/icons.ts";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { reads } from "#account/data/reads.ts";
import { ThreadMessages } from "#account/shared/thread-messages.tsx";

/** The server's own thread. Operators report the outcome of requests in it. */
export function MessagesTab({ server: { id, thread } }: { readonly server: ReadServerAnswer }) {
  if (thread !== null) return <OneThread id={thread.id} />;
  return (
    <Panel>
      <EmptyState
        icon={<MessageSquare className="size-6" />}
        title="No messages yet"
        action={
          <LinkButton to={accountRoutes.newMessage} search={{ server: id }}>
            Write to the operators
          </LinkButton>
        }
      >
        Operators report the outcome of your requests here.
      </EmptyState>
    </Panel>
  );
}

function OneThread({ id }: { readonly id: string }) {
  const thread = useQuery(reads.thread(id));
  return (
    <Loaded query={thread} isPadded={false}>
      {(found) => <ThreadMessages thread={found} />}
    </Loaded>
  );
}
