import { errors, isChange, scopes, type Operation } from "@ironlease/contract";
import type { OperationRow, Resend, Scope } from "#client/api.ts";
import { plainSchema, type JsonSchema } from "@ironlease/reference";
import { requestFields } from "./client-requests.ts";

type Table = Readonly<Record<string, Operation>>;

export interface Side {
  /** Goes into the names: `account` is `accountApi` and `AccountOperations`. */
  readonly name: string;
  readonly operations: Table;
  readonly cookies: { readonly session: string; readonly csrf: string };
  /** Names of records in lists, where the list's own would say too little. */
  readonly recordNames: Readonly<Record<string, string>>;
  /** Which operation shows what became of another, where the path does not say it; null for none. */
  readonly checks: Readonly<Record<string, string | null>>;
  /** Changes without a key of which a second copy changes nothing, beyond those that say so by method. */
  readonly repeatable: readonly string[];
  /** A field that goes with one word of another field, and with that one only. */
  readonly conditional: Readonly<
    Record<string, { readonly field: string; readonly with: string; readonly word: string }>
  >;
}

/** The error codes, with the status that each is answered with. */
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

/** A key makes no difference on an open read, and is refused on every change. */
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
  // A second sign-in is a second session, and the one that nobody heard of ends by itself. One that
  // also makes something (201) is no sign-in but a registration.
  if (cookies === "set" && 200 in answers) return "free";
  if (cookies === "clear" && body === undefined) return "same";
  return "never";
}

/** The nearest read that the path is under: a record, or the list that it is in. */
function checkOf({ path }: Operation, operations: Table): string | undefined {
  const segments = path.split("/");
  for (let length = segments.length; length > 3; length -= 1) {
    const place = segments.slice(0, length).join("/");
    const read = Object.entries(operations).find(
      ([, other]) => !isChange(other) && other.path === place,
    );
    if (read !== undefined) return read[0];
  }
  return undefined;
}

/** The required fields with the first letter of their type, or their only word. Read by `fits`. */
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
