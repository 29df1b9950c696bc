import type { ReadThreadAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Page } from "#ui/page.tsx";
import { Loaded } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { Missing } from "#account/shared/missing.tsx";
import { ThreadMessages } from "#account/shared/thread-messages.tsx";
import { ThreadState } from "./threads-page.tsx";

export function ThreadPage() {
  const { id = "" }: { id?: string } = useParams({ strict: false });
  const thread = useQuery(reads.thread(id));
  const { data } = thread;
  const close = useChange(client.closeThread, [reads.threads.queryKey]);
  return (
    <Page
      title={data?.subject ?? "Message"}
      crumbs={[{ to: accountRoutes.messages, label: "Messages" }]}
      lead={data !== undefined && <Lead thread={data} />}
      actions={
        data?.state === "OPEN" && (
          <Button
            isPending={close.isPending}
            onClick={() => close.mutate({ id }, { onSuccess: () => toast("Conversation closed") })}
          >
            Close
          </Button>
        )
      }
    >
      {close.error !== null && <ErrorNotice error={close.error} />}
      <Loaded
        key={id}
        query={thread}
        isPadded={false}
        missing={
          <Missing what="Message" list={accountRoutes.messages} linkText="View all messages" />
        }
      >
        {(found) => <ThreadMessages thread={found} />}
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
