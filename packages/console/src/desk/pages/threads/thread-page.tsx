import type { AnswerThreadRequest, ReadAnyThreadAnswer } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { deskRoutes } from "#app/urls.ts";
import { useChange } from "#data/use-change.ts";
import { useDraft } from "#data/use-draft.ts";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { Button } from "#ui/button.tsx";
import { Conversation } from "#ui/conversation.tsx";
import { IdText } from "#ui/id-text.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { IdempotentForm } from "#ui/idempotent-form.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys, reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { AccountLink } from "#desk/shared/links.tsx";
import { Missing } from "#desk/shared/missing.tsx";
import { MessageField } from "./message-field.tsx";
import { SealForm } from "./seal-form.tsx";
import { SealedNote } from "./sealed-note.tsx";
import { ThreadState } from "./threads-page.tsx";

export function ThreadPage() {
  const { id = "" }: { id?: string } = useParams({ strict: false });
  const thread = useQuery(reads.thread(id));
  const { data } = thread;
  return (
    <Page
      title={data?.subject ?? "Message"}
      crumbs={[{ to: deskRoutes.messages, label: "Messages" }]}
      lead={data !== undefined && <ThreadState thread={data} />}
    >
      {/* Remount per thread, so that text typed for one is never sent in another. */}
      <Loaded key={id} query={thread} missing={<Missing what="Message" />}>
        {(found) => (
          <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <div className="flex min-w-0 flex-col gap-5">
              <Conversation messages={messagesOf(found)} />
              <Panel title="Answer">
                <AnswerForm threadId={found.id} />
              </Panel>
              <Panel
                title="Send encrypted"
                description="For a root password or a KVM link. Only the customer's private key opens it."
              >
                <SealForm thread={found} />
              </Panel>
            </div>
            <ThreadPanel thread={found} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function messagesOf({ messages, username, sshKeys }: ReadAnyThreadAnswer) {
  return messages.map(({ from, operator, sealed, ...message }) => ({
    ...message,
    content: sealed && <SealedNote sealed={sealed} sshKeys={sshKeys} />,
    isOwn: from !== "CUSTOMER",
    author: from === "CUSTOMER" ? username : (operator ?? "Service"),
  }));
}

function AnswerForm({ threadId }: { readonly threadId: string }) {
  const [text, setText] = useDraft(`answer/${threadId}`);
  const send = useIdempotentChange(
    `answer/${threadId}`,
    async (request: AnswerThreadRequest, options) => {
      const sent = await client.answerThread(request, options);
      setText("");
      return sent;
    },
    [keys.threads],
  );
  return (
    <IdempotentForm
      label="Answer"
      what="Your answer"
      submitLabel="Send answer"
      change={send}
      request={{ id: threadId, text }}
      isComplete={text.trim() !== ""}
    >
      <MessageField text={text} onChange={setText} />
    </IdempotentForm>
  );
}

function ThreadPanel({ thread }: { readonly thread: ReadAnyThreadAnswer }) {
  const { id, accountId, username, serverId, regionId, assignedTo, state, createdAt } = thread;
  const { username: me = "" } = usePermissions();
  const assign = useChange(client.assignThread, [keys.threads]);
  const close = useChange(client.closeAnyThread, [keys.threads]);
  const error = assign.error ?? close.error;
  const isMine = assignedTo === me;
  return (
    <Panel title="Thread">
      <div className="flex flex-col gap-5">
        {error !== null && <ErrorNotice error={error} />}
        <Facts>
          <Fact name="Customer">
            <AccountLink id={accountId} username={username} />
          </Fact>
          <Fact name="Opened">
            <Time at={createdAt} />
          </Fact>
          <Fact name="Assigned to">{assignedTo ?? "No one"}</Fact>
          <Fact name="Region">{regionId ?? "–"}</Fact>
          {serverId !== null && (
            <Fact name="Server id">
              <IdText id={serverId} what="server id" />
            </Fact>
          )}
        </Facts>
        <div className="flex flex-wrap gap-2">
          <Button
            isPending={assign.isPending}
            onClick={() =>
              assign.mutate(
                { id, operator: isMine ? null : me },
                { onSuccess: () => toast(isMine ? "Assigned to no one" : "Assigned to you") },
              )
            }
          >
            {isMine ? "Unassign" : "Assign to me"}
          </Button>
          {state === "OPEN" && (
            <Button
              isPending={close.isPending}
              onClick={() => close.mutate({ id }, { onSuccess: () => toast("Thread closed") })}
            >
              Close
            </Button>
          )}
        </div>
      </div>
    </Panel>
  );
}
