import type { Thread } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { Badge } from "#ui/badge.tsx";
import { LinkButton } from "#ui/button.tsx";
import { MessageSquare, Plus } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { reads } from "#account/data/reads.ts";

export function ThreadsPage() {
  const threads = useQuery(reads.threads);
  return (
    <Page
      title="Messages"
      lead="Operators report the outcome of your requests here, and answer your questions."
      actions={
        <LinkButton
          to={accountRoutes.newMessage}
          variant="primary"
          icon={<Plus aria-hidden className="size-4" />}
        >
          New message
        </LinkButton>
      }
    >
      <Panel isFlush>
        <Loaded query={threads}>
          {({ threads: list }) =>
            list.length === 0 ? (
              <EmptyState icon={<MessageSquare className="size-6" />} title="No messages yet">
                The outcome of a delivery, an action or a withdrawal appears here.
              </EmptyState>
            ) : (
              <Table label="Messages" columns={columns} rows={list} keyOf={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

const columns: readonly Column<Thread>[] = [
  {
    title: "Subject",
    isHeading: true,
    isFreeText: true,
    cell: ({ id, subject, unread }) => (
      <span className="flex flex-wrap items-center gap-2">
        <TextLink to={urlOf(accountRoutes.thread, { id })}>{subject}</TextLink>
        {unread > 0 && <Badge tone="wait">{unread} new</Badge>}
      </span>
    ),
  },
  { title: "State", place: "corner", cell: ({ state }) => <ThreadState state={state} /> },
  {
    title: "Last message",
    place: "detail",
    cell: ({ lastMessageAt }) => <Time at={lastMessageAt} />,
  },
];

export function ThreadState({ state }: { readonly state: Thread["state"] }) {
  return (
    <Badge tone={state === "OPEN" ? "good" : "plain"}>{state === "OPEN" ? "Open" : "Closed"}</Badge>
  );
}
