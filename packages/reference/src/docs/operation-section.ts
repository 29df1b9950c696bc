import { errorsOf, isChange, type ErrorCode, type Operation, type Role } from "@ironlease/contract";
import type { TSchema } from "typebox";
import { parameters, pathParameterMeaning } from "#openapi/components.ts";
import { sampleOf } from "#samples.ts";
import { curlCommand, jsonBlock, shellBlock } from "./code-blocks.ts";
import { fieldRows, rulesOf, type FieldRow, type FieldSchema } from "./field-rows.ts";
import { code, joined, markup, prose, type Content, type Markup } from "./markup.ts";
import { answerTable, errorLink, errorTable, requestTable } from "./tables.ts";

export function operationAnchor(id: string): string {
  return `operation-${id}`;
}

/** One operation: the description, and examples beside it. */
export function operationSection(
  id: string,
  operation: Operation,
  everywhere: ReadonlySet<ErrorCode>,
): Markup {
  const { method, path, summary, description, extension, listener } = operation;
  // Every operator operation is an extension, so only account operations are marked.
  const isMarked = extension && listener === "account";
  const anchor = operationAnchor(id);
  return markup`
<section class="operation" aria-labelledby="${anchor}">
<div class="text">
<h3 id="${anchor}"><a href="#${anchor}">${summary}</a>${isMarked ? badge : undefined}</h3>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
${description === undefined ? undefined : markup`<p>${prose(description)}</p>`}
<dl class="facts">${factsOf(operation)}</dl>
${requestOf(operation)}
${Object.entries(operation.answers).map(([status, schema]) => answerOf(status, schema))}
${errorsIn(operation, everywhere)}
</div>
<div class="examples">
${shellBlock("Request", curlCommand(operation))}
${exampleAnswer(operation)}
</div>
</section>`;
}

const badge = markup` <a class="badge" href="#extensions">Extension</a>`;

function factsOf(operation: Operation): Content {
  const { idempotency, cookies } = operation;
  return [
    fact("Access", callersOf(operation)),
    idempotency === "none" ? undefined : fact("Retries", prose(sentAgain[idempotency])),
    cookies === undefined ? undefined : fact("Cookies", cookieEffect[cookies]),
  ];
}

function fact(name: string, value: Content): Markup {
  return markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function callersOf({ access, method }: Operation): Content {
  if (access.kind === "public") return "Public, no sign-in needed";
  if (access.kind === "operator") {
    const token = method === "GET" ? undefined : ", with the session's CSRF token";
    return [operatorsOf[access.role], token];
  }
  if (access.scopes.length === 0) {
    return method === "GET" ? "A session" : "A session, with its CSRF token";
  }
  return ["A session, or an API key with the scope ", joined(access.scopes.map(code), " or ")];
}

const operatorsOf: Readonly<Record<Role, Content>> = {
  support: "Every operator",
  finance: markup`An operator with the role ${code("finance")} or ${code("admin")}`,
  admin: markup`An operator with the role ${code("admin")}`,
};

const sentAgain = {
  replay: "The same key and request return the first response, with `idempotent-replayed: true`",
  conflict: "A used key always returns `idempotency_conflict`",
};

const cookieEffect = {
  set: "Sets the session cookie and its CSRF cookie",
  clear: "Clears the session cookie and its CSRF cookie",
};

function requestOf(operation: Operation): Content {
  const given = parameterRows(operation);
  const { body } = operation;
  return [
    given.length === 0
      ? undefined
      : markup`<h4>Parameters</h4>${requestTable("Parameters", given)}`,
    body === undefined
      ? undefined
      : markup`<h4>Body</h4>${requestTable("Body fields", fieldRows(body))}`,
  ];
}

function parameterRows(operation: Operation): readonly FieldRow[] {
  const { path, query, idempotency, access } = operation;
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  const { IdempotencyKey, CsrfToken } = parameters;
  const headers = [
    ...(idempotency === "none" ? [] : [IdempotencyKey]),
    ...(isChange(operation) && access.kind !== "public" ? [CsrfToken] : []),
  ];
  const common = { parent: "", type: "string", required: true };
  return [
    ...names.map((name) => ({
      ...common,
      name,
      rules: `In the path. ${pathParameterMeaning}`,
    })),
    ...(query === undefined ? [] : fieldRows(query)).map((row) => ({
      ...row,
      rules: ["In the query. ", row.rules],
    })),
    ...headers.map(({ name, description, schema }) => ({
      ...common,
      name,
      rules: ["Header. ", rulesOf({ description, ...(schema as FieldSchema) })],
    })),
  ];
}

function answerOf(status: string, schema: TSchema | null): Markup {
  const rows = schema === null ? [] : fieldRows(schema);
  return markup`<h4>Response <span class="status">${status}</span></h4>${
    rows.length === 0
      ? markup`<p>${emptyAnswer(schema)}</p>`
      : answerTable(`Fields of the ${status} response`, rows)
  }`;
}

function emptyAnswer(schema: TSchema | null): string {
  return schema === null ? "No body." : "A JSON object.";
}

function exampleAnswer(operation: Operation): Content {
  return Object.entries(operation.answers).map(([status, schema]) =>
    schema === null || fieldRows(schema).length === 0
      ? undefined
      : jsonBlock(`Response ${status}`, sampleOf(schema)),
  );
}

/** The introduction explains the codes that every operation can return, so they are only listed here. */
function errorsIn(operation: Operation, everywhere: ReadonlySet<ErrorCode>): Markup {
  const codes = errorsOf(operation);
  const own = codes.filter((name) => !everywhere.has(name));
  const others = codes.filter((name) => everywhere.has(name));
  return markup`<h4>Errors</h4>
${own.length === 0 ? undefined : errorTable("Errors", own)}
<p class="everywhere">${own.length === 0 ? "Only the" : "Also the"} errors of every operation: ${joined(others.map(errorLink), ", ")}.</p>`;
}
