import { createApiKey } from "#features/api-keys/create-api-key.ts";
import { listApiKeys, type ApiKeyRecord } from "#features/api-keys/list-api-keys.ts";
import { revokeApiKey } from "#features/api-keys/revoke-api-key.ts";
import { addSshKey } from "#features/ssh-keys/add-ssh-key.ts";
import { listSshKeys, type SshKeyRecord } from "#features/ssh-keys/list-ssh-keys.ts";
import { removeSshKey } from "#features/ssh-keys/remove-ssh-key.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#ports/clock.ts";
import { ok } from "#ports/result.ts";
import type { Handlers } from "#http/bind.ts";
import { KeptBodies } from "#http/kept-bodies.ts";

type ApiKeys = "listApiKeys" | "createApiKey" | "revokeApiKey";
type SshKeys = "listSshKeys" | "addSshKey" | "removeSshKey";

export function keyHandlers(core: Core): Handlers<ApiKeys | SshKeys> {
  const apiKeyLists = new KeptBodies<{ apiKeys: ReturnType<typeof apiKeyOnWire>[] }>();
  const sshKeyLists = new KeptBodies<{ sshKeys: ReturnType<typeof sshKeyOnWire>[] }>();
  return {
    listApiKeys: ({ account }) =>
      apiKeyLists.answer(account, async (accountId) => {
        const keys = await listApiKeys(core, accountId);
        return { apiKeys: keys.map(apiKeyOnWire) };
      }),
    createApiKey: async ({ core, client, account, body }) => {
      const result = await createApiKey(core, client, account.accountId, {
        ...body,
        expiresAt: body.expiresAt,
      });
      if (!result.ok) return result;
      const { key, ...record } = result.value;
      return ok({ status: 201, body: { ...apiKeyOnWire(record), key } });
    },
    revokeApiKey: async ({ core, client, account, parameters }) => {
      const result = await revokeApiKey(core, client, account.accountId, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
    listSshKeys: ({ account }) =>
      sshKeyLists.answer(account, async (accountId) => {
        const keys = await listSshKeys(core, accountId);
        return { sshKeys: keys.map(sshKeyOnWire) };
      }),
    addSshKey: async ({ core, client, account, body }) => {
      const result = await addSshKey(core, client, account.accountId, body);
      return result.ok ? ok({ status: 201, body: sshKeyOnWire(result.value) }) : result;
    },
    removeSshKey: async ({ core, client, account, parameters }) => {
      const result = await removeSshKey(core, client, account.accountId, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
  };
}

function apiKeyOnWire(record: ApiKeyRecord) {
  return {
    ...record,
    createdAt: isoTime(record.createdAt),
    expiresAt: isoTimeOrNull(record.expiresAt),
    lastUsedAt: isoTimeOrNull(record.lastUsedAt),
  };
}

function sshKeyOnWire(record: SshKeyRecord) {
  return { ...record, createdAt: isoTime(record.createdAt) };
}
