import type { WriteToCustomerRequest } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { useDraft } from "#data/use-draft.ts";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { TextField } from "#ui/field.tsx";
import { IdempotentForm } from "#ui/idempotent-form.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { client } from "#desk/data/client.ts";
import { keys, reads } from "#desk/data/reads.ts";
import { AccountLink, ServerLink } from "#desk/shared/links.tsx";
import { kinds } from "#desk/shared/work-kinds.tsx";
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
      lead={about !== undefined && <Lead name={about[0]} id={about[1]} />}
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

interface Id {
  readonly id: string;
}

function AboutAccount({ id }: Id) {
  const { data } = useQuery(reads.account(id));
  return data !== undefined && <To account={data} />;
}

function AboutServer({ id }: Id) {
  const { data } = useQuery(reads.server(id));
  if (data === undefined) return null;
  const name = data.server.hostname ?? "an undelivered server";
  return <To account={data.account} about={<ServerLink id={id} name={name} />} />;
}

function AboutWork({ id }: Id) {
  const { data } = useQuery(reads.workItem(id));
  if (data === undefined) return null;
  const { accountId, username, kind } = data;
  const work = <TextLink to={urlOf(deskRoutes.workItem, { id })}>{kinds[kind].name}</TextLink>;
  return <To account={{ id: accountId, username }} about={work} />;
}

/** The customer, and what the message is about. */
function Lead({ name, id }: Id & { readonly name: keyof About }) {
  switch (name) {
    case "accountId":
      return <AboutAccount id={id} />;
    case "serverId":
      return <AboutServer id={id} />;
    case "workId":
      return <AboutWork id={id} />;
  }
}

function To({
  account: { id, username },
  about,
}: {
  readonly account: Id & { readonly username: string };
  readonly about?: ReactNode;
}) {
  return (
    <>
      To <AccountLink id={id} username={username} />
      {about !== undefined && <>, about {about}</>}
    </>
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
