import type { SshKey } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { Plus } from "#ui/icons.ts";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast.tsx";
import { IdText } from "#ui/id-text.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { AddSshKeyDialog } from "./add-ssh-key-dialog.tsx";

export function SshKeysPanel() {
  const keys = useQuery(reads.sshKeys);
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<SshKey>();
  const remove = useChange(client.removeSshKey, [reads.sshKeys.queryKey]);
  const close = () => {
    setRemoved(undefined);
    remove.reset();
  };
  return (
    <Panel
      title="SSH keys"
      description="Public keys that you can choose when you order servers"
      isFlush
      actions={
        <Button icon={<Plus aria-hidden className="size-4" />} onClick={() => setIsAdding(true)}>
          Add SSH key
        </Button>
      }
    >
      <Loaded query={keys}>
        {({ sshKeys }) =>
          sshKeys.length === 0 ? (
            <EmptyState title="No SSH keys">
              Add the public key of each computer that you connect from.
            </EmptyState>
          ) : (
            <Table
              label="SSH keys"
              columns={columnsWith(setRemoved)}
              rows={sshKeys}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      {isAdding && <AddSshKeyDialog onClose={() => setIsAdding(false)} />}
      {removed !== undefined && (
        <ConfirmDialog
          isOpen
          title={`Remove ${removed.name}?`}
          description={<p>It is removed from this list. Servers ordered with it keep it.</p>}
          confirmLabel="Remove SSH key"
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate(
              { id: removed.id },
              {
                onSuccess: () => {
                  close();
                  toast("SSH key removed");
                },
              },
            )
          }
          onClose={close}
        />
      )}
    </Panel>
  );
}

function columnsWith(onRemove: (key: SshKey) => void): readonly Column<SshKey>[] {
  return [
    { title: "Name", isHeading: true, isFreeText: true, cell: ({ name }) => name },
    {
      title: "Fingerprint",
      isLong: true,
      place: "detail",
      cell: ({ fingerprint, publicKey, name }) => (
        <IdText id={fingerprint} copies={publicKey} what={`public key ${name}`} />
      ),
    },
    { title: "Added", place: "labelled", cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: "Actions",
      isTitleHidden: true,
      isNumber: true,
      place: "corner",
      cell: (key) => (
        <Button size="small" onClick={() => onRemove(key)}>
          Remove<span className="sr-only"> {key.name}</span>
        </Button>
      ),
    },
  ];
}
