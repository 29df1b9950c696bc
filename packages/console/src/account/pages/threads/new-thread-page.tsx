import type { OpenThreadRequest } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { useDraft } from "#data/use-draft.ts";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { Button } from "#ui/button.tsx";
import { SelectField, TextArea, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
import { client } from "#account/data/client.ts";
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
  const [serverId, setServerId] = useState(server);
  const [subject, setSubject] = useDraft("thread-subject");
  const [text, setText] = useDraft("thread-text");
  const open = useIdempotentChange(
    "thread",
    async (request: OpenThreadRequest, options) => {
      const thread = await client.openThread(request, options);
      setSubject("");
      setText("");
      void navigate({ to: urlOf(accountRoutes.thread, { id: thread.id }), replace: true });
      return thread;
    },
    [reads.threads.queryKey],
  );
  const { unanswered } = open;
  const servers = (data?.servers ?? []).map(({ id, hostname }) => ({
    value: id,
    label: hostname ?? id,
  }));
  return (
    <Form
      label="New message"
      error={unanswered === undefined ? open.error : null}
      onSubmit={() => open.mutate({ subject, text, ...(serverId === "" ? {} : { serverId }) })}
    >
      {unanswered !== undefined && (
        <UnansweredNotice
          what="Your message"
          at={unanswered.at}
          isPending={open.isPending}
          onRetry={() => open.mutate(unanswered.request)}
          onDiscard={open.discard}
        />
      )}
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
      <div>
        <Button
          type="submit"
          variant="primary"
          isPending={open.isPending}
          disabled={subject.trim() === "" || text.trim() === "" || unanswered !== undefined}
        >
          Send
        </Button>
      </div>
    </Form>
  );
}
