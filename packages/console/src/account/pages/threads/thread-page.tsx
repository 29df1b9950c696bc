import type { ReadThreadAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { useChange } from "#data/use-change.ts";
import { useUsername } from "#data/session.ts";
import { Button } from "#ui/button.tsx";
import { Conversation } from "#ui/conversation.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { ReplyForm } from "./reply-form.tsx";
import { SealedMessage } from "./sealed-message.tsx";
import { ThreadState } from "./threads-page.tsx";

export function ThreadPage() {
  const { id = "" }: { id?: string } = useParams({ strict: false });
  const thread = useQuery(reads.thread(id));
  const { data } = thread;
  useMarkAsRead(data);
  const close = useChange(client.closeThread, [reads.threads.queryKey]);
  return (
    <Page
      title={data?.subject ?? "Message"}
      crumbs={[{ to: accountRoutes.messages, label: "Messages" }]}
      lead={data !== undefined && <Lead thread={data} />}
      actions={
        data?.state === "OPEN" && (
          <Button isPending={close.isPending} onClick={() => close.mutate({ id })}>
            Close
          </Button>
        )
      }
    >
      {close.error !== null && <ErrorNotice error={close.error} />}
      <Loaded key={id} query={thread}>
        {(found) => <Messages thread={found} />}
      </Loaded>
    </Page>
  );
}

function Lead({ thread: { state, serverId } }: { readonly thread: ReadThreadAnswer }) {
  return (
    <span className="flex flex-wrap items-center gap-3 text-sm">
      <ThreadState state={state} />
      {serverId !== null && (
        <TextLink to={urlOf(accountRoutes.server, { id: serverId })}>View server</TextLink>
      )}
    </span>
  );
}

function Messages({ thread }: { readonly thread: ReadThreadAnswer }) {
  const username = useUsername();
  const messages = thread.messages.map(({ from, sealed, ...message }) => ({
    ...message,
    content: sealed && (
      <SealedMessage threadId={thread.id} messageId={message.id} sealed={sealed} />
    ),
    isOwn: from === "CUSTOMER",
    author: { CUSTOMER: username, OPERATOR: "Operator", SERVICE: "Ironlease" }[from],
  }));
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <Conversation messages={messages} />
      <Panel title="Reply">
        <ReplyForm threadId={thread.id} />
      </Panel>
    </div>
  );
}

function useMarkAsRead(thread: ReadThreadAnswer | undefined): void {
  const { mutate } = useChange(client.markThreadRead, [reads.threads.queryKey]);
  const { id = "", unread = 0 } = thread ?? {};
  useEffect(() => {
    if (unread > 0) mutate({ id });
  }, [id, unread, mutate]);
}
