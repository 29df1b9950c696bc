import type { ListAllThreadsRequest, Thread } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { Badge } from "#ui/badge.tsx";
import { LinkButton } from "#ui/button.tsx";
import { SelectField } from "#ui/field.tsx";
import { MessageSquare } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { NoValue, type Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { Age } from "#desk/shared/age.tsx";
import { useCatalogueChoices } from "#desk/shared/catalogue-choices.ts";
import { oneOf, optional, useFilters } from "#ui/filters.ts";
import { AccountLink } from "#desk/shared/links.tsx";
import { PagedTable } from "#ui/paged-table.tsx";

/** In hours. */
const ages = ["", "4", "24", "72"] as const;

/** The desk's inbox. It opens with what waits for an answer. */
export function ThreadsPage() {
  const filters = useFilters();
  const { username = "" } = usePermissions();
  const { regions } = useCatalogueChoices({ region: "All regions", configuration: "" });
  const show = filters.get("show");
  const age = oneOf(ages, filters.get("age")) ?? "";
  const isAboutOne = filters.get("account") !== "" || filters.get("server") !== "";
  const request: ListAllThreadsRequest = {
    ...(show === "" && !isAboutOne ? { unread: true } : {}),
    ...(show === "mine" ? { assignedTo: username } : {}),
    regionId: optional(filters.get("region")),
    accountId: optional(filters.get("account")),
    serverId: optional(filters.get("server")),
    ...(age === "" ? {} : { minimumAgeHours: Number(age) }),
    after: optional(filters.get("after")),
  };
  const threads = useQuery(reads.threads(request));
  return (
    <Page
      title="Messages"
      lead="Unanswered messages that have waited longest come first."
      actions={<LinkButton to={deskRoutes.savedReplies}>Saved replies</LinkButton>}
    >
      <Panel isFlush>
        <div className="grid gap-4 px-5 py-4 sm:max-w-3xl sm:grid-cols-3 sm:px-6">
          <SelectField
            name="show"
            label="Show"
            value={show === "" && isAboutOne ? "all" : show}
            onChange={(next) => filters.set({ show: next })}
            options={[
              { value: "", label: "Unanswered" },
              { value: "mine", label: "Assigned to me" },
              { value: "all", label: "All" },
            ]}
          />
          <SelectField
            name="region"
            label="Region"
            value={filters.get("region")}
            onChange={(region) => filters.set({ region })}
            options={regions}
          />
          <SelectField
            name="age"
            label="Last message"
            value={age}
            onChange={(next) => filters.set({ age: next })}
            options={[
              { value: "", label: "At any time" },
              { value: "4", label: "Over 4 hours ago" },
              { value: "24", label: "Over a day ago" },
              { value: "72", label: "Over 3 days ago" },
            ]}
          />
        </div>
        <Loaded query={threads}>
          {({ threads: list }) => (
            <PagedTable
              label="Messages"
              columns={columns}
              rows={list}
              empty={
                <EmptyState icon={<MessageSquare className="size-6" />} title="No messages here">
                  {show === "" ? "Every message has been answered." : "Try another filter."}
                </EmptyState>
              }
            />
          )}
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
    cell: ({ id, subject }) => <TextLink to={urlOf(deskRoutes.thread, { id })}>{subject}</TextLink>,
  },
  {
    title: "Customer",
    place: "detail",
    cell: ({ accountId, username }) => <AccountLink id={accountId} username={username} />,
  },
  { title: "Region", place: "detail", cell: ({ regionId }) => regionId ?? <NoValue /> },
  {
    title: "Assigned to",
    place: "detail",
    cell: ({ assignedTo }) =>
      assignedTo === null ? (
        <NoValue />
      ) : (
        <>
          <span className="hidden card:inline">Assigned to </span>
          {assignedTo}
        </>
      ),
  },
  { title: "State", place: "corner", cell: (thread) => <ThreadState thread={thread} /> },
  {
    title: "Last message",
    place: "end",
    cell: ({ lastMessageAt }) => (
      <>
        <Age since={lastMessageAt} /> ago
      </>
    ),
  },
];

export function ThreadState({
  thread: { state, unread },
}: {
  readonly thread: Pick<Thread, "state" | "unread">;
}) {
  if (unread > 0) return <Badge tone="warn">{unread} unanswered</Badge>;
  return state === "OPEN" ? <Badge tone="good">Answered</Badge> : <Badge>Closed</Badge>;
}
