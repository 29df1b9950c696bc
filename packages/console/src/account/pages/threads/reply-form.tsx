import type { SendMessageRequest } from "@ironlease/client";
import { useDraft } from "#data/use-draft.ts";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { Button } from "#ui/button.tsx";
import { TextArea } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

export function ReplyForm({ threadId }: { readonly threadId: string }) {
  const [text, setText] = useDraft(`reply/${threadId}`);
  const send = useIdempotentChange(
    `message/${threadId}`,
    async (request: SendMessageRequest, options) => {
      const sent = await client.sendMessage(request, options);
      setText("");
      return sent;
    },
    [reads.threads.queryKey],
  );
  const { unanswered } = send;
  return (
    <Form
      label="Reply"
      error={unanswered === undefined ? send.error : null}
      onSubmit={() => send.mutate({ id: threadId, text })}
    >
      {unanswered !== undefined && (
        <UnansweredNotice
          what="Your message"
          at={unanswered.at}
          isPending={send.isPending}
          onRetry={() => send.mutate(unanswered.request)}
          onDiscard={send.discard}
        />
      )}
      <TextArea
        name="text"
        label="Message"
        hint="Plain text. Never send a password or a private key."
        isProse
        rows={5}
        value={text}
        onChange={setText}
      />
      <div>
        <Button
          type="submit"
          variant="primary"
          isPending={send.isPending}
          disabled={text.trim() === "" || unanswered !== undefined}
        >
          Send
        </Button>
      </div>
    </Form>
  );
}
