import type { WriteToCustomerRequest } from "@ironlease/client/operator";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { useDraft } from "#data/use-draft.ts";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { TextField } from "#ui/field.tsx";
import { IdText } from "#ui/id-text.tsx";
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

function aboutOf(search: About): [keyof About, string] | undefined {
  for (const name of ["accountId", "serverId", "workId"] as const) {
    const id = search[name];
    if (id !== undefined && id !== "") return [name, id];
  }
  return undefined;
}

/** Opened from an account, a server or a work item. */
export function NewThreadPage() {
  const about = aboutOf(useSearch({ strict: false }));
  return (
    <Page
      title="Write to customer"
      crumbs={[{ to: deskRoutes.messages, label: "Messages" }]}
      lead={about !== undefined && <AboutLink name={about[0]} id={about[1]} />}
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

const pages = {
  accountId: { what: "account id", path: deskRoutes.account },
  serverId: { what: "server id", path: deskRoutes.server },
  workId: { what: "work item id", path: deskRoutes.workItem },
} as const;

/** The account, server or work item, with a link to its page. */
function AboutLink({ name, id }: { readonly name: keyof About; readonly id: string }) {
  const { what, path } = pages[name];
  return <IdText id={id} what={what} to={urlOf(path, { id })} />;
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
