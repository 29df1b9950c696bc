import type { Notice } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { optional, useFilters } from "#ui/filters.ts";
import { Megaphone, Plus } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { PagedTable } from "#ui/paged-table.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import type { Column } from "#ui/table.tsx";
import { Time, useNow } from "#ui/time.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys, reads } from "#desk/data/reads.ts";
import { noticeKinds } from "./notice-kinds.ts";
import { PublishDialog } from "./publish-dialog.tsx";

/** Planned maintenance and incidents that customers see. */
export function NoticesPage() {
  const notices = useQuery(reads.notices({ after: optional(useFilters().get("after")) }));
  const [chosen, setChosen] = useState<Notice>();
  const [isPublishing, setIsPublishing] = useState(false);
  return (
    <Page
      title="Notices"
      lead="Customers see a notice on their overview and server pages until it ends."
      actions={
        <Button
          variant="primary"
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => setIsPublishing(true)}
        >
          Publish notice
        </Button>
      }
    >
      <Panel isFlush>
        <Loaded query={notices}>
          {({ notices: list }) => (
            <PagedTable
              label="Notices"
              columns={[...columns, withdrawColumn(setChosen)]}
              rows={list}
              empty={
                <EmptyState icon={<Megaphone className="size-6" />} title="No notices">
                  Publish one before you work on machines that customers use.
                </EmptyState>
              }
            />
          )}
        </Loaded>
      </Panel>
      {isPublishing && <PublishDialog onClose={() => setIsPublishing(false)} />}
      {chosen !== undefined && (
        <WithdrawDialog notice={chosen} onClose={() => setChosen(undefined)} />
      )}
    </Page>
  );
}

const columns: readonly Column<Notice>[] = [
  {
    title: "Notice",
    isHeading: true,
    isFreeText: true,
    cell: ({ kind, title, text }) => (
      <span className="flex flex-col">
        <span className="wrap-anywhere">{title}</span>
        <span className="text-xs font-normal text-quiet">{noticeKinds[kind]}</span>
        <span className="line-clamp-2 max-w-prose text-xs font-normal wrap-anywhere text-quiet">
          {text}
        </span>
      </span>
    ),
  },
  { title: "State", place: "corner", cell: (notice) => <NoticeState notice={notice} /> },
  {
    title: "Time",
    place: "detail",
    cell: ({ startsAt, endsAt }) => (
      <span className="flex flex-col card:inline">
        <Time at={startsAt} />{" "}
        <span>
          to <Time at={endsAt} />
        </span>
      </span>
    ),
  },
  { title: "For", place: "labelled", cell: (notice) => audienceOf(notice) },
  { title: "By", place: "labelled", cell: ({ publishedBy }) => publishedBy },
];

function audienceOf({ regionIds, serverIds }: Notice): string {
  const servers = `${serverIds.length} ${serverIds.length === 1 ? "server" : "servers"}`;
  const parts = [...regionIds, ...(serverIds.length === 0 ? [] : [servers])];
  return parts.length === 0 ? "Everyone" : parts.join(", ");
}

function NoticeState({ notice: { startsAt, endsAt } }: { readonly notice: Notice }) {
  const now = useNow(60_000);
  if (Date.parse(endsAt) <= now) return <Badge>Ended</Badge>;
  if (Date.parse(startsAt) <= now) return <Badge tone="warn">In progress</Badge>;
  return <Badge tone="wait">Planned</Badge>;
}

function withdrawColumn(onChoose: (notice: Notice) => void): Column<Notice> {
  return {
    title: "Actions",
    isTitleHidden: true,
    isNumber: true,
    place: "end",
    cell: (notice) => (
      <Button size="small" onClick={() => onChoose(notice)}>
        Withdraw<span className="sr-only"> {notice.title}</span>
      </Button>
    ),
  };
}

function WithdrawDialog({
  notice: { id, title },
  onClose,
}: {
  readonly notice: Notice;
  readonly onClose: () => void;
}) {
  const withdraw = useChange(client.withdrawNotice, [keys.notices]);
  return (
    <ConfirmDialog
      isOpen
      title="Withdraw this notice?"
      description={<p>Customers no longer see “{title}”. The audit log keeps its title.</p>}
      confirmLabel="Withdraw notice"
      isDangerous
      isPending={withdraw.isPending}
      error={withdraw.error}
      onConfirm={() =>
        withdraw.mutate(
          { id },
          {
            onSuccess: () => {
              toast("Notice withdrawn");
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
