import { errors, idPrefixes, type ErrorCode } from "@ironlease/contract";
import { describedSchema } from "./openapi/schema.ts";

/** The part of a schema that determines a sample. */
export interface SampledSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, SampledSchema>>;
  readonly required?: readonly string[];
  readonly items?: SampledSchema;
  readonly anyOf?: readonly SampledSchema[];
}

const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKe7H1/G7z2H4UrzUsxED+UJTQ2fTmv8wyIV/qkZjTFL ada@laptop";

/** By field name, for fields without an example in the contract. */
export const samples = {
  actorName: "ada",
  address: "sim-btc-7m2vq9xk4tz1hw8rc5jd3np6ysb0aef",
  amount: "0.01",
  amountUsd: -49.99,
  asset: "BTC",
  assetTag: "A1-07",
  assigned: 12,
  available: 8,
  balanceAfterUsd: 75.51,
  balanceUsd: 75.51,
  balancesUsd: 48_210.75,
  bandwidth: "1 Gbit/s",
  ciphertext: null,
  cidr: "203.0.113.0/24",
  claimed: 1,
  claimedBy: "alice",
  code: "492039",
  configId: "metal-s",
  confirmations: 2,
  confirmationsRequired: 2,
  count: 7,
  country: "Germany",
  cpu: "8 cores, 3.4 GHz",
  creditedAt: "2026-11-15T09:50:00.000Z",
  csrfToken: "hV0cN8uZ3rT6yQ1wK5mX9bD2fG7jL4pS0aE8iO6nRtc",
  currentPassword: "a long pass phrase",
  ddosQuoteUsd: 40,
  ddosRequestedMode: "ADVANCED",
  destination: "sim-btc-my-own-wallet",
  discountPercent: 0,
  endedAt: null,
  expiresAt: "2027-05-15T00:00:00.000Z",
  fingerprint: "SHA256:reQPBsKU08vqtan6GXNJU6A9nXAotPTltzJueWZSw7M",
  frozen: false,
  frozenAt: null,
  frozenReason: null,
  graceUntil: "2026-12-18T09:30:00.000Z",
  heldUsd: 25,
  hostname: "web1.example.com",
  ipAddress: "203.0.113.7",
  isoUrl: "https://images.example.com/rescue.iso",
  key: "svk_ThisIsOnlyAnExampleAndOpensNothing00",
  leaseUntil: "2026-11-15T10:00:00.000Z",
  memoryGb: 32,
  minQuantity: 5,
  monthlyUsd: 49.99,
  name: "laptop",
  network: "bitcoin",
  newPassword: "another long pass phrase",
  note: null,
  oldestAgeSeconds: 900,
  osId: "debian-13",
  outcome: null,
  paidThrough: "2026-12-15T09:30:00.000Z",
  password: "a long pass phrase",
  percent: 7.5,
  prefixLength: 32,
  priceUsd: 49.99,
  ptr: "web1.example.com",
  publicKey,
  quoteRequired: false,
  reason: "Requested by the customer.",
  recoveryCode: "4GXKD-92MTN-7QRWP-C1JZV-8HB3E",
  region: "fra",
  regionId: "fra",
  $schema: "./catalogue.schema.json",
  sshPublicKey: publicKey,
  storage: "2 × 480 GB NVMe",
  totalUsd: 49.99,
  totp: "492039",
  transactionId: "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16",
  unitUsd: 49.99,
  until: "2026-11-16T00:00:00.000Z",
  usd: 25,
  userAgent: "curl/8.14.1",
  username: "ada",
  version: "0.1.0",
  weeklyUsd: 15.5,
} as const;

const byName: Readonly<Record<string, string | number | boolean | null>> = samples;

/** Enum values that fit the other samples: an active server, a credited deposit. */
const preferredWords: ReadonlySet<unknown> = new Set([
  "ACTIVE",
  "CLAIMED",
  "CREDITED",
  "ORDER_CHARGE",
  "PAID",
  "SIMULATED",
  "monthly",
  null,
]);

/** The fallback for unknown fields. A test fails on it. */
export const unknownText = "a text";

/** Returns an example value for the schema. The result is deterministic. */
export function sampleOf(given: SampledSchema, name = ""): unknown {
  const schema = describedSchema(given);
  const { examples, properties, items, anyOf, format, minimum = 1 } = schema;
  if (examples !== undefined && examples.length > 0) return examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) {
    const preferred = schema.enum.filter((word) => preferredWords.has(word));
    return [...preferred, ...schema.enum][0];
  }
  if (anyOf !== undefined) return sampleOf(anyOf[0] ?? {}, name);
  if (items !== undefined) return [sampleOf(items, name)];
  if (properties !== undefined) return sampleObject(properties, schema.required ?? []);
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  const known = byName[name];
  if (types.includes("boolean")) return typeof known === "boolean" ? known : true;
  if (known === null && types.includes("null")) return null;
  if (types.includes("integer") || types.includes("number")) {
    return typeof known === "number" ? known : minimum;
  }
  if (!types.includes("string")) return {};
  if (typeof known === "string") return known;
  if (format === "date-time") return "2026-11-15T09:30:00.000Z";
  return sampleId(name.replace(/Id$/, "")) ?? unknownText;
}

/** Shows the required fields, or all fields if none is required. */
function sampleObject(
  properties: Readonly<Record<string, SampledSchema>>,
  required: readonly string[],
): unknown {
  const shown = Object.entries(properties).filter(
    ([name]) => required.length === 0 || required.includes(name),
  );
  return Object.fromEntries(shown.map(([name, field]) => [name, sampleOf(field, name)]));
}

export function errorSample(code: ErrorCode): unknown {
  const fields = [{ field: "quantity", message: "must be a whole number from 1 to 20" }];
  return {
    error: {
      code,
      message: errors[code].message,
      requestId: "req_Zk3vQ9xT1mW7",
      ...(code === "validation_failed" ? { fields } : {}),
    },
  };
}

/** The path with an example id for each parameter. */
export function samplePath(path: string): string {
  return path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => samplePathParameter(path, name));
}

/**
 * The segment before the parameter determines the kind of id: `/servers/{id}` takes a server id. Other parameters are
 * named like the field.
 */
export function samplePathParameter(path: string, name: string): string {
  if (name !== "id" && typeof byName[name] === "string") return byName[name];
  const resource =
    path
      .slice(0, path.indexOf(`/{${name}}`))
      .split("/")
      .at(-1) ?? "";
  return sampleId(singular(resource)) ?? name;
}

function singular(resource: string): string {
  if (resource === "network") return "assignment";
  return resource
    .replace(/s$/, "")
    .replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function sampleId(kind: string): string | undefined {
  const prefix = (idPrefixes as Readonly<Record<string, string>>)[kind];
  return prefix === undefined ? undefined : `${prefix}_01kfxq8n3ve7wt5c2m9hzr4d6y`;
}
