import type { Passkey } from "@ironlease/client";
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
import { AddPasskeyDialog } from "./add-passkey-dialog.tsx";
import { hasPasskeys } from "./browser.ts";
import type { PasskeySource } from "./passkey-source.ts";
import { isStaleSignIn, StaleSignIn } from "./stale-sign-in.tsx";

/** Lists, adds and removes passkeys, of a customer or an operator. */
export function PasskeysPanel({ source }: { readonly source: PasskeySource }) {
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey>();
  const remove = useChange(source.remove, source.refreshes);
  const isStale = isStaleSignIn(remove.error);
  const close = () => {
    setRemoved(undefined);
    remove.reset();
  };
  return (
    <Panel
      title="Passkeys"
      description="Sign in with your fingerprint, face, PIN or security key instead of your password"
      isFlush
      actions={
        hasPasskeys() && (
          <Button
            size="small"
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => setIsAdding(true)}
          >
            Add passkey
          </Button>
        )
      }
    >
      <Loaded query={source.passkeys}>
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <EmptyState title="No passkeys">
              A passkey cannot be guessed, reused on another site or given away by mistake.
            </EmptyState>
          ) : (
            <Table
              label="Passkeys"
              columns={columnsWith(setRemoved)}
              rows={passkeys}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      {isAdding && (
        <AddPasskeyDialog
          source={source}
          onAdded={() => {
            setIsAdding(false);
            toast("Passkey added");
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
      {removed !== undefined && (
        <ConfirmDialog
          isOpen
          title={`Remove ${removed.name}?`}
          description={
            <p>
              It can no longer sign in. Delete it on your device or in your password manager too.
            </p>
          }
          confirmLabel="Remove passkey"
          isDangerous
          isPending={remove.isPending}
          error={isStale ? null : remove.error}
          onConfirm={() =>
            remove.mutate(
              { id: removed.id },
              {
                onSuccess: () => {
                  close();
                  toast("Passkey removed");
                },
              },
            )
          }
          onClose={close}
        >
          {isStale && <StaleSignIn error={remove.error} />}
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function columnsWith(onRemove: (passkey: Passkey) => void): readonly Column<Passkey>[] {
  return [
    { title: "Name", isHeading: true, isFreeText: true, cell: ({ name }) => name },
    { title: "Added", place: "labelled", cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: "Last used",
      place: "labelled",
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? "Never" : <Time at={lastUsedAt} />),
    },
    {
      title: "Actions",
      isTitleHidden: true,
      isNumber: true,
      place: "corner",
      cell: (passkey) => (
        <Button size="small" onClick={() => onRemove(passkey)}>
          Remove<span className="sr-only"> {passkey.name}</span>
        </Button>
      ),
    },
  ];
}
