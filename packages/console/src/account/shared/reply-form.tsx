import type { SendMessageRequest } from "@ironlease/client";
import { useDraft } from "#data/use-draft.ts";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { TextArea } from "#ui/field.tsx";
import { IdempotentForm } from "#ui/idempotent-form.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

export function ReplyForm({ threadId }: { readonly threadId: string }) {
  const [text, setText] = useDraft(`reply/${threadId}`);
  const send = useIdempotentChange(
    `message/${threadId}`,
    async (request: SendMessageRequest, options) => {
      const sent = await client.sendMessage(request, options);
      setText("");
      toast("Message sent");
      return sent;
    },
    [reads.threads.queryKey],
  );
  return (
    <IdempotentForm
      label="Reply"
      what="Your message"
      submitLabel="Send"
      change={send}
      request={{ id: threadId, text }}
      isComplete={text.trim() !== ""}
    >
      <TextArea
        name="text"
        label="Message"
        hint="Plain text. Never send a password or a private key."
        isProse
        rows={5}
        value={text}
        onChange={setText}
      />
    </IdempotentForm>
  );
}
