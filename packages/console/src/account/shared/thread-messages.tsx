import type { ReadThreadAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { brand } from "#data/brand.ts";
import { useChange } from "#data/use-change.ts";
import { useUsername } from "#data/session.ts";
import { Conversation } from "#ui/conversation.tsx";
import { Panel } from "#ui/panel.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { ReplyForm } from "./reply-form.tsx";
import { SealedMessage } from "./sealed-message.tsx";

/** The messages of a thread, which are then read, and the reply. */
export function ThreadMessages({ thread }: { readonly thread: ReadThreadAnswer }) {
  const username = useUsername();
  useQuery(reads.promptAccountChanges);
  useMarkAsRead(thread);
  const messages = thread.messages.map(({ from, sealed, ...message }) => ({
    ...message,
    content: sealed && (
      <SealedMessage threadId={thread.id} messageId={message.id} sealed={sealed} />
    ),
    isOwn: from === "CUSTOMER",
    author: { CUSTOMER: username, OPERATOR: "Operator", SERVICE: brand.name }[from],
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

function useMarkAsRead({ id, unread }: ReadThreadAnswer): void {
  const { mutate } = useChange(client.markThreadRead, [
    reads.threads.queryKey,
    reads.accountChanges.queryKey,
    // A server shows what is unread in its thread.
    reads.servers.queryKey,
  ]);
  useEffect(() => {
    if (unread > 0) mutate({ id });
  }, [id, unread, mutate]);
}
