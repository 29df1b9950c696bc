import { errors, isChange, scopes, type Operation } from "@ironlease/contract";
import type { OperationRow, Resend, Scope } from "#client/api.ts";
import { plainSchema, type JsonSchema } from "@ironlease/reference";
import { requestFields } from "./client-requests.ts";

type Table = Readonly<Record<string, Operation>>;

export interface Side {
  /** The prefix of generated names: `account` gives `accountApi` and `AccountOperations`. */
  readonly name: string;
  readonly operations: Table;
  readonly cookies: { readonly session: string; readonly csrf: string };
  /** Names of list members, if the singular of the list's name is too vague. */
  readonly recordNames: Readonly<Record<string, string>>;
  /** The read that shows the outcome of a change, if the path does not imply it; null if there is none. */
  readonly checks: Readonly<Record<string, string | null>>;
  /** Changes without an idempotency key that are idempotent, in addition to PUT and DELETE. */
  readonly repeatable: readonly string[];
  /** A field that is required with one value of another field and forbidden with all others. */
  readonly conditional: Readonly<
    Record<string, { readonly field: string; readonly with: string; readonly word: string }>
  >;
}

/** The error codes with their HTTP status. */
export function errorsSource(): string {
  const rows = Object.entries(errors).map(([code, { status }]) => `  ${code}: ${status},`);
  return (
    `/** Every code that the service answers with, and its status. */\n` +
    `export const errorStatuses = {\n${rows.join("\n")}\n} as const;\n\n` +
    `export type ErrorCode = keyof typeof errorStatuses;\n`
  );
}

/** The table that the transport reads. */
export function tableSource({ name, operations, cookies, checks, repeatable }: Side): string {
  const entries = Object.entries(operations);
  const me = entries.find(
    ([, operation]) => !isChange(operation) && fieldsOf(operation).has("csrfToken"),
  );
  const rows = entries.map(([id, operation]) => {
    const resend = repeatable.includes(id) ? "same" : resendOf(operation);
    const check = id in checks ? checks[id] : checkOf(operation, operations);
    const row = rowOf(operation, resend, check);
    return `    ${id}: ${JSON.stringify(row)},\n`;
  });
  const table = rows.length === 0 ? "{}" : `{\n${rows.join("")}  }`;
  return (
    `import type { Api } from "../api.ts";\n\n` +
    `export const ${name}Api: Api = {\n` +
    `  cookies: ${JSON.stringify(cookies)},\n` +
    `  me: ${JSON.stringify(me?.[0] ?? "")},\n` +
    `  operations: ${table},\n};\n`
  );
}

function rowOf(
  operation: Operation,
  resend: Resend,
  check: string | null | undefined,
): OperationRow {
  const { method, path, access, cookies } = operation;
  const keyScopes = keyScopesOf(operation);
  const answers = Object.entries(operation.answers).map(([status, schema]) => [
    status,
    schema === null ? null : shapeOf(plainSchema(schema)),
  ]);
  return {
    method,
    path,
    resend,
    ...(requestFields(operation).length === 0 ? {} : { takes: true }),
    ...(operation.body === undefined ? {} : { body: true }),
    ...(access.kind === "public" ? { open: true } : {}),
    ...(keyScopes.length === 0 ? {} : { scopes: keyScopes }),
    ...(operation.idempotency === "conflict" ? { conflict: true } : {}),
    ...(cookies === undefined ? {} : { cookies }),
    ...(isChange(operation) && typeof check === "string" ? { check } : {}),
    answers: Object.fromEntries(answers) as OperationRow["answers"],
  };
}

/** The API key scopes that allow an operation. Public reads ignore the key, and changes refuse it. */
export function keyScopesOf(operation: Operation): readonly Scope[] {
  if (isChange(operation)) return [];
  if (operation.access.kind === "public") return scopes;
  return operation.access.kind === "session" ? operation.access.scopes : [];
}

function resendOf(operation: Operation): Resend {
  const { method, idempotency, cookies, answers, body } = operation;
  if (method === "GET") return "free";
  if (idempotency !== "none") return "key";
  if (method === "PUT" || method === "DELETE") return "same";
  // Repeating a sign-in creates a second session, and the unused one expires. A 201 means a registration.
  if (cookies === "set" && 200 in answers) return "free";
  if (cookies === "clear" && body === undefined) return "same";
  return "never";
}

/** The read with the longest path that is a prefix of this one: the record or its list. */
function checkOf({ path }: Operation, operations: Table): string | undefined {
  const segments = path.split("/");
  for (let length = segments.length; length > 3; length -= 1) {
    const prefix = segments.slice(0, length).join("/");
    const read = Object.entries(operations).find(
      ([, other]) => !isChange(other) && other.path === prefix,
    );
    if (read !== undefined) return read[0];
  }
  return undefined;
}

/** The required fields, each with the first letter of its type or its only value. `fits` parses it. */
function shapeOf(schema: JsonSchema): string {
  const properties = (schema["properties"] ?? {}) as Record<string, JsonSchema>;
  const required = (schema["required"] ?? []) as readonly string[];
  return required
    .map((name) => {
      const { type, enum: words, const: only } = properties[name] ?? {};
      const [first, second] = (words ?? [only]) as readonly unknown[];
      const single = second === undefined ? first : undefined;
      if (typeof single === "string") return `${name}=${single}`;
      return typeof type === "string" ? `${name}:${type.replace("integer", "number")[0]}` : name;
    })
    .join(" ");
}

function fieldsOf({ answers }: Operation): ReadonlySet<string> {
  const schemas = Object.values(answers).flatMap((schema) => (schema === null ? [] : [schema]));
  return new Set(schemas.flatMap((schema) => Object.keys(plainSchema(schema)["properties"] ?? {})));
}
