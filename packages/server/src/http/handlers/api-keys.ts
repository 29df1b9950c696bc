import { createApiKey } from "#features/api-keys/create-api-key.ts";
import { listApiKeys, type ApiKeyRecord } from "#features/api-keys/list-api-keys.ts";
import { revokeApiKey } from "#features/api-keys/revoke-api-key.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

type ApiKeys = "listApiKeys" | "createApiKey" | "revokeApiKey";

export function apiKeyHandlers(core: Core): Handlers<ApiKeys> {
  return {
    listApiKeys: async ({ account }) => {
      const keys = await listApiKeys(core, account.accountId);
      return ok({ status: 200, body: { apiKeys: keys.map(apiKeyOnWire) } });
    },
    createApiKey: async ({ core, caller, body }) => {
      const result = await createApiKey(core, caller, {
        ...body,
        expiresAt: body.expiresAt,
        allowedNetworks: body.allowedNetworks,
      });
      if (!result.ok) return result;
      const { key, ...record } = result.value;
      return ok({ status: 201, body: { ...apiKeyOnWire(record), key } });
    },
    revokeApiKey: async ({ core, caller, parameters }) => {
      const result = await revokeApiKey(core, caller, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
  };
}

export function apiKeyOnWire(record: ApiKeyRecord) {
  return {
    ...record,
    createdAt: isoTime(record.createdAt),
    expiresAt: isoTimeOrNull(record.expiresAt),
    lastUsedAt: isoTimeOrNull(record.lastUsedAt),
  };
}
