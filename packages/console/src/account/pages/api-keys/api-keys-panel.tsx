import type { ApiKey } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { Plus } from "#ui/icons.ts";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { CreateApiKeyDialog } from "./create-api-key-dialog.tsx";

export function ApiKeysPanel() {
  const keys = useQuery(reads.apiKeys);
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();
  const revoke = useChange(client.revokeApiKey, [reads.apiKeys.queryKey]);
  const close = () => {
    setRevoked(undefined);
    revoke.reset();
  };
  return (
    <Panel
      title="API keys"
      description="Changing your password revokes all API keys."
      isFlush
      actions={
        <Button icon={<Plus aria-hidden className="size-4" />} onClick={() => setIsCreating(true)}>
          Create API key
        </Button>
      }
    >
      <Loaded query={keys}>
        {({ apiKeys }) =>
          apiKeys.length === 0 ? (
            <EmptyState title="No API keys">
              Create one key per program, so that you can revoke each one separately.
            </EmptyState>
          ) : (
            <Table
              label="API keys"
              columns={columnsWith(setRevoked)}
              rows={apiKeys}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      {isCreating && <CreateApiKeyDialog onClose={() => setIsCreating(false)} />}
      {revoked !== undefined && (
        <ConfirmDialog
          isOpen
          title={`Revoke ${revoked.name}?`}
          description={<p>Programs that use it lose access at once. This cannot be undone.</p>}
          confirmLabel="Revoke API key"
          isDangerous
          isPending={revoke.isPending}
          error={revoke.error}
          onConfirm={() =>
            revoke.mutate(
              { id: revoked.id },
              {
                onSuccess: () => {
                  close();
                  toast("API key revoked");
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

function columnsWith(onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  return [
    {
      title: "Name",
      isHeading: true,
      isFreeText: true,
      cell: ({ name, prefix }) => (
        <span className="flex flex-col">
          {name}
          <code className="font-mono text-xs font-normal text-quiet">{prefix}…</code>
        </span>
      ),
    },
    { title: "Scope", place: "corner", cell: ({ scope }) => <Badge>{scope}</Badge> },
    {
      title: "Networks",
      isFreeText: true,
      place: "labelled",
      cell: ({ allowedNetworks }) => allowedNetworks?.join(", ") ?? "Any",
    },
    {
      title: "Last used",
      place: "labelled",
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? "Never" : <Time at={lastUsedAt} />),
    },
    {
      title: "Expires",
      place: "labelled",
      cell: ({ expiresAt }) => (expiresAt === null ? "Never" : <Time at={expiresAt} />),
    },
    {
      title: "Created",
      place: "labelled",
      cell: ({ createdAt }) => <Time at={createdAt} isDay />,
    },
    {
      title: "Actions",
      isTitleHidden: true,
      isNumber: true,
      place: "corner",
      cell: (key) => (
        <Button size="small" onClick={() => onRevoke(key)}>
          Revoke<span className="sr-only"> {key.name}</span>
        </Button>
      ),
    },
  ];
}
