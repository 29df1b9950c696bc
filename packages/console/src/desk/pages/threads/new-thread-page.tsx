import type { WriteToCustomerRequest } from "@ironlease/client/operator";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { useDraft } from "#data/use-draft.ts";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { TextField } from "#ui/field.tsx";
import { IdempotentForm } from "#ui/idempotent-form.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState } from "#ui/states.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { MessageField } from "./message-field.tsx";

/** What the message is about. The URL names exactly one. */
interface About {
  readonly accountId?: string;
  readonly serverId?: string;
  readonly workId?: string;
}

/** Opened from an account, a server or a work item. */
export function NewThreadPage() {
  const { accountId, serverId, workId }: About = useSearch({ strict: false });
  const about = Object.entries({ accountId, serverId, workId }).find(
    ([, id]) => id !== undefined && id !== "",
  );
  return (
    <Page
      title="Write to customer"
      crumbs={[{ to: deskRoutes.messages, label: "Messages" }]}
      lead={about !== undefined && <code className="font-mono text-sm break-all">{about[1]}</code>}
    >
      <Panel className="max-w-3xl">
        {about === undefined ? (
          <EmptyState title="No customer chosen">
            Open this page from an account, a server or a work item.
          </EmptyState>
        ) : (
          <NewThreadForm about={{ [about[0]]: about[1] }} />
        )}
      </Panel>
    </Page>
  );
}

function NewThreadForm({ about }: { readonly about: About }) {
  const navigate = useNavigate();
  const slot = `write/${JSON.stringify(about)}`;
  const [subject, setSubject] = useDraft(`${slot}/subject`);
  const [text, setText] = useDraft(`${slot}/text`);
  const send = useIdempotentChange(
    slot,
    async (request: WriteToCustomerRequest, options) => {
      const thread = await client.writeToCustomer(request, options);
      setSubject("");
      setText("");
      void navigate({ to: urlOf(deskRoutes.thread, { id: thread.id }), replace: true });
      return thread;
    },
    [keys.threads],
  );
  return (
    <IdempotentForm
      label="Write to customer"
      what="Your message"
      submitLabel="Send"
      change={send}
      request={{ ...about, text, ...(subject.trim() === "" ? {} : { subject }) }}
      isComplete={text.trim() !== ""}
    >
      <TextField
        name="subject"
        label="Subject"
        hint="Optional. A server keeps one thread, which takes the new subject."
        value={subject}
        onChange={setSubject}
        maxLength={200}
        autoComplete="off"
      />
      <MessageField text={text} onChange={setText} />
    </IdempotentForm>
  );
}
