import { idPrefixes, type Operation } from "@ironlease/contract";
import type { FieldSchema } from "./field-rows.ts";

/** Values that look like themselves, for fields that the contract gives no example of. */
const byName: Readonly<Record<string, string>> = {
  username: "ada",
  name: "laptop",
  expiresAt: "2026-11-15T21:30:00.000Z",
  csrfToken: "hV0cN8…",
  recoveryCode: "4GXKD-92MTN-7QRWP-C1JZV-8HB3E",
  key: "svk_4fTq…",
  publicKey: "ssh-ed25519 AAAAC3Nza… ada@laptop",
  sshPublicKey: "ssh-ed25519 AAAAC3Nza… ada@laptop",
  ipAddress: "203.0.113.7",
  userAgent: "curl/8.14.1",
  version: "0.1.0",
};

const byFormat: Readonly<Record<string, string>> = {
  password: "a long pass phrase",
  "date-time": "2026-11-15T09:30:00.000Z",
};

/** A value that fits the schema, for people to look at. The same schema always gives the same one. */
export function sampleOf(schema: FieldSchema, operation: Operation, name = ""): unknown {
  const { examples, properties, items, anyOf, format, minimum = 1 } = schema;
  if (examples !== undefined && examples.length > 0) return examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (anyOf !== undefined) return sampleOf(anyOf[0] ?? {}, operation, name);
  if (items !== undefined) return [sampleOf(items, operation, name)];
  if (properties !== undefined) return sampleObject(properties, schema.required ?? [], operation);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return minimum;
  if (type !== "string") return {};
  return byName[name] ?? byFormat[format ?? ""] ?? sampleId(kindOf(name, operation)) ?? "…";
}

/** The required fields are enough to show the shape; where none is, all of them are. */
function sampleObject(
  properties: Readonly<Record<string, FieldSchema>>,
  required: readonly string[],
  operation: Operation,
): unknown {
  const shown = Object.entries(properties).filter(
    ([name]) => required.length === 0 || required.includes(name),
  );
  return Object.fromEntries(shown.map(([name, field]) => [name, sampleOf(field, operation, name)]));
}

/** The path with an identifier of the right kind in the place of each parameter. */
export function samplePath(path: string): string {
  return path.replaceAll(
    /(?<=\/)([^/{}]+)\/\{([^{}]+)\}/g,
    (_, resource: string, name: string) => `${resource}/${sampleId(singular(resource)) ?? name}`,
  );
}

/** `serverId` names a server; a bare `id` is of what the path ends in. */
function kindOf(name: string, { path }: Operation): string {
  if (name !== "id") return name.replace(/Id$/, "");
  return singular(path.split("/").findLast((part) => !part.startsWith("{")) ?? "");
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
