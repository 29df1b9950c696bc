import { Type } from "typebox";
import { limits } from "../limits.ts";
import { networkList } from "../network-fields.ts";
import { operation, scopes } from "../operation.ts";
import { id, nullableTime, text, time, words } from "../schemas.ts";

const { keyName } = limits;

export const name = Type.String({
  minLength: keyName.min,
  maxLength: keyName.max,
  message: `must be ${keyName.min} to ${keyName.max} characters`,
  examples: ["laptop"],
});

const record = {
  id: id("apiKey"),
  name: Type.String(),
  scope: words(scopes),
  prefix: text("The first characters of the key, to identify it.", "svk_This"),
  createdAt: time,
  expiresAt: nullableTime,
  lastUsedAt: nullableTime,
  allowedNetworks: Type.Unsafe<readonly string[] | null>({
    ...networkList,
    description: "The networks that the key works from. Null: anywhere.",
  }),
};

const apiKey = Type.Object(record, { title: "ApiKey" });

const ofAccount = {
  listener: "account",
  tag: "API keys",
  idempotency: "none",
  extension: false,
  access: { kind: "session", scopes: [] },
} as const;

export const apiKeys = {
  listApiKeys: operation({
    ...ofAccount,
    method: "GET",
    path: "/api/v1/api-keys",
    summary: "List API keys",
    description: "Does not return the key values.",
    answers: { 200: Type.Object({ apiKeys: Type.Array(apiKey) }) },
    errors: [],
  }),
  createApiKey: operation({
    ...ofAccount,
    method: "POST",
    path: "/api/v1/api-keys",
    summary: "Create an API key",
    description: `The key is shown only once. An account can have up to ${limits.apiKeysPerAccount} active keys.`,
    body: Type.Object(
      {
        name,
        scope: words(scopes),
        expiresAt: Type.Optional(
          Type.Unsafe<string | null>({
            type: ["string", "null"],
            maxLength: 40,
            description: "When the key expires. Omit it or send null for a key that never expires.",
            message: "must be a time in UTC such as 2027-01-31T00:00:00.000Z, or null",
          }),
        ),
        allowedNetworks: Type.Optional(
          Type.Unsafe<readonly string[] | null>({
            ...networkList,
            description:
              "Addresses and CIDRs that the key works from. From elsewhere it is refused like an unknown key. Omit it or send null for a key that works anywhere.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: {
      201: Type.Object(
        {
          ...record,
          key: text("The value to send as `Authorization: Bearer`. Shown only once."),
        },
        { title: "NewApiKey" },
      ),
    },
    errors: ["limit_reached"],
  }),
  revokeApiKey: operation({
    ...ofAccount,
    method: "DELETE",
    path: "/api/v1/api-keys/{id}",
    summary: "Revoke an API key",
    description: "Takes effect on its next request.",
    frozen: "allowed",
    answers: { 204: null },
    errors: [],
  }),
};
