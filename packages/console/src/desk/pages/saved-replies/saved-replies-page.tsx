import type { SavedReply } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { deskRoutes } from "#app/urls.ts";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { MessageSquare, Plus } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys, reads } from "#desk/data/reads.ts";
import { SaveReplyDialog } from "./save-reply-dialog.tsx";

type Open =
  | { readonly kind: "add" }
  | { readonly kind: "edit" | "delete"; readonly reply: SavedReply };

/** Replies that operators write often. They start from one and adapt it. */
export function SavedRepliesPage() {
  const replies = useQuery(reads.savedReplies);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Page
      title="Saved replies"
      lead="All operators share them and start from one when they write to a customer."
      crumbs={[{ to: deskRoutes.messages, label: "Messages" }]}
      actions={
        <Button
          variant="primary"
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => setOpen({ kind: "add" })}
        >
          Add reply
        </Button>
      }
    >
      <Panel isFlush>
        <Loaded query={replies}>
          {({ savedReplies: list }) =>
            list.length === 0 ? (
              <EmptyState icon={<MessageSquare className="size-6" />} title="No saved replies">
                Save what you write often.
              </EmptyState>
            ) : (
              <Table
                label="Saved replies"
                isDense
                columns={columnsWith(setOpen)}
                rows={list}
                keyOf={({ id }) => id}
              />
            )
          }
        </Loaded>
      </Panel>
      {open?.kind === "add" && <SaveReplyDialog reply={undefined} onClose={close} />}
      {open?.kind === "edit" && <SaveReplyDialog reply={open.reply} onClose={close} />}
      {open?.kind === "delete" && <DeleteDialog reply={open.reply} onClose={close} />}
    </Page>
  );
}

function columnsWith(onOpen: (open: Open) => void): readonly Column<SavedReply>[] {
  return [
    {
      title: "Name",
      isHeading: true,
      isFreeText: true,
      cell: ({ name }) => <span className="wrap-anywhere">{name}</span>,
    },
    {
      title: "Text",
      place: "detail",
      isFreeText: true,
      cell: ({ text }) => (
        <span className="line-clamp-3 max-w-prose whitespace-pre-wrap wrap-anywhere">{text}</span>
      ),
    },
    {
      title: "Actions",
      isTitleHidden: true,
      isNumber: true,
      place: "corner",
      cell: (reply) => (
        <span className="inline-flex gap-2">
          <Button size="small" onClick={() => onOpen({ kind: "edit", reply })}>
            Edit<span className="sr-only"> {reply.name}</span>
          </Button>
          <Button size="small" onClick={() => onOpen({ kind: "delete", reply })}>
            Delete<span className="sr-only"> {reply.name}</span>
          </Button>
        </span>
      ),
    },
  ];
}

function DeleteDialog({
  reply: { id, name },
  onClose,
}: {
  readonly reply: SavedReply;
  readonly onClose: () => void;
}) {
  const remove = useChange(client.removeSavedReply, [keys.savedReplies]);
  return (
    <ConfirmDialog
      isOpen
      title={`Delete “${name}”?`}
      description={<p>Messages that were sent with it stay as they are.</p>}
      confirmLabel="Delete reply"
      isDangerous
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { id },
          {
            onSuccess: () => {
              toast("Reply deleted");
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
