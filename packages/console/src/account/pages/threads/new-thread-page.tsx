import type { OpenThreadRequest } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { useDraft } from "#data/use-draft.ts";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { SelectField, TextArea, TextField } from "#ui/field.tsx";
import { IdempotentForm } from "#ui/idempotent-form.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { useServerNames } from "#account/shared/use-server-names.ts";
import { reads } from "#account/data/reads.ts";

export function NewThreadPage() {
  return (
    <Page
      title="New message"
      crumbs={[{ to: accountRoutes.messages, label: "Messages" }]}
      lead="Write to the operators. The answer appears under Messages."
    >
      <Panel className="max-w-3xl">
        <NewThreadForm />
      </Panel>
    </Page>
  );
}

function NewThreadForm() {
  const { server = "" }: { server?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { data } = useQuery(reads.servers);
  const nameOf = useServerNames(data?.servers);
  const [serverId, setServerId] = useState(server);
  const [subject, setSubject] = useDraft("thread-subject");
  const [text, setText] = useDraft("thread-text");
  const open = useIdempotentChange(
    "thread",
    async (request: OpenThreadRequest, options) => {
      const thread = await client.openThread(request, options);
      setSubject("");
      setText("");
      toast("Message sent");
      void navigate({ to: urlOf(accountRoutes.thread, { id: thread.id }), replace: true });
      return thread;
    },
    [reads.threads.queryKey, reads.servers.queryKey],
  );
  const servers = (data?.servers ?? []).map((server) => ({
    value: server.id,
    label: nameOf(server),
  }));
  return (
    <IdempotentForm
      label="New message"
      what="Your message"
      submitLabel="Send"
      change={open}
      request={{ subject, text, ...(serverId === "" ? {} : { serverId }) }}
      isComplete={subject.trim() !== "" && text.trim() !== ""}
    >
      <SelectField
        name="serverId"
        label="About"
        value={serverId}
        onChange={setServerId}
        options={[{ value: "", label: "My account" }, ...servers]}
      />
      <TextField
        name="subject"
        label="Subject"
        value={subject}
        onChange={setSubject}
        maxLength={200}
        autoComplete="off"
      />
      <TextArea
        name="text"
        label="Message"
        hint="Plain text. Never send a password or a private key."
        isProse
        rows={8}
        value={text}
        onChange={setText}
      />
    </IdempotentForm>
  );
}
