import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { errors, errorsOf, operations, type Operation } from "@ironlease/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Type } from "typebox";
import { openApiDocument } from "./document.ts";
import { unknownText } from "#samples.ts";

/** The parts of a document that these tests read. */
interface Described {
  readonly operationId: string;
  readonly description?: string;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly parameters?: readonly Record<string, unknown>[];
  readonly requestBody?: { readonly content: Json<unknown> };
  readonly responses: Readonly<Record<string, Response>>;
  readonly "x-extension"?: boolean;
  readonly "x-scopes"?: readonly string[];
}
interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly headers: Record<string, unknown>;
  readonly content: Json<{ readonly allOf: readonly [unknown, Narrowing] }>;
}
interface Json<Schema> {
  readonly "application/json": { readonly schema: Schema; readonly example?: unknown };
}
interface Narrowing {
  readonly properties: {
    readonly error: {
      readonly properties: { readonly code: { readonly enum: readonly string[] } };
    };
  };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Record<string, unknown>>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly parameters: Readonly<Record<string, Record<string, unknown>>>;
    readonly securitySchemes: Readonly<Record<string, Record<string, string>>>;
  };
}

/** Combinations that the real operations do not cover. */
const specimens: Readonly<Record<string, Operation>> = {
  placeSpecimen: {
    listener: "account",
    tag: "Specimens",
    method: "PUT",
    path: "/api/v1/specimens/{id}/label",
    summary: "Place a specimen",
    extension: true,
    access: { kind: "session", scopes: [] },
    idempotency: "replay",
    body: Type.Object(
      {
        message: Type.String({ maxLength: 40, message: "must be short" }),
        kind: Type.Union([Type.Integer({ message: "must be whole" }), Type.Null()]),
        parts: Type.Optional(Type.Array(Type.String({ message: "must be a part" }))),
      },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ message: Type.String() }), 202: null },
    errors: ["conflict", "rate_limited"],
  },
  findSpecimens: {
    listener: "account",
    tag: "Specimens",
    method: "GET",
    path: "/api/v1/specimens",
    summary: "Find specimens",
    extension: false,
    access: { kind: "session", scopes: ["read", "servers"] },
    idempotency: "none",
    query: Type.Object(
      { kind: Type.String({ message: "must be a kind" }), after: Type.Optional(Type.String()) },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({}) },
    errors: [],
  },
  deskSpecimen: {
    listener: "operator",
    tag: "Desk",
    method: "POST",
    path: "/operator/v1/specimens",
    summary: "Keep a specimen",
    extension: true,
    access: { kind: "operator", role: "support" },
    idempotency: "conflict",
    answers: { 204: null },
    errors: [],
  },
};
const everything = { ...operations, ...specimens };

const documentOf = (...given: Parameters<typeof openApiDocument>) =>
  JSON.parse(JSON.stringify(openApiDocument(...given))) as Document;
const account = documentOf("1.2.3", everything);
const documents = [
  documentOf("1.2.3", operations, "account"),
  documentOf("1.2.3", operations, "operator"),
];
const operationsIn = ({ paths }: Document) =>
  Object.values(paths).flatMap((methods) => Object.values(methods));
const listed = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  );
const tableOf = (listener: Operation["listener"]) =>
  Object.entries<Operation>(everything)
    .filter(([, operation]) => operation.listener === listener)
    .map(([id, { method, path }]) => `${method.toLowerCase()} ${path} ${id}`);
const described = (id: string, document = account): Described => {
  const { path, method } = everything[id as keyof typeof everything] as Operation;
  return document.paths[path]![method.toLowerCase()]!;
};
const responseAt = (id: string, status: number): Response => {
  const response = described(id).responses[status]!;
  if (response.$ref === undefined) return response;
  return account.components.responses[response.$ref.replace("#/components/responses/", "")]!;
};
const headersAt = (id: string, status: number) => Object.keys(responseAt(id, status).headers);
const parameterNames = (id: string) =>
  described(id).parameters?.map(({ $ref, name, in: place, required }) =>
    typeof $ref === "string"
      ? account.components.parameters[$ref.replace("#/components/parameters/", "")]!["name"]
      : `${String(place)} ${String(name)} ${String(required)}`,
  );

test("the document describes exactly the operations of its listener", () => {
  assert.deepEqual(listed(account).toSorted(), tableOf("account").toSorted());
  const operator = documentOf("1.2.3", everything, "operator");
  assert.deepEqual(listed(operator).toSorted(), tableOf("operator").toSorted());
  const leaked = ["/operator/", "role_forbidden", "operator-session"];
  assert.deepEqual(
    leaked.filter((word) => JSON.stringify(account).includes(word)),
    [],
  );
});

test("every error code appears under its status, in the schema and with its message", () => {
  for (const [id, operation] of Object.entries<Operation>(everything)) {
    if (operation.listener !== "account") continue;
    const codes = errorsOf(operation);
    for (const code of codes) {
      const response = responseAt(id, errors[code].status);
      assert.ok(response.description.includes(`\`${code}\`: ${errors[code].message}`), code);
      const narrowed = response.content["application/json"].schema.allOf[1];
      assert.ok(narrowed.properties.error.properties.code.enum.includes(code), `${id} ${code}`);
    }
    const statuses = [
      ...Object.keys(operation.answers),
      ...codes.map((code) => errors[code].status),
    ];
    const expected = new Set(statuses.map(String));
    assert.deepEqual(new Set(Object.keys(described(id).responses)), expected, id);
  }
});

test("the document contains no internal keywords", () => {
  assert.doesNotMatch(JSON.stringify(account), /"~/);
  for (const schema of schemasIn(account)) {
    assert.equal(typeof schema["message"], "undefined", JSON.stringify(schema));
  }
});

test("a field's message becomes its description, and a field named message is kept", () => {
  const { requestBody } = described("placeSpecimen");
  assert.deepEqual(requestBody?.content["application/json"].schema, {
    $ref: "#/components/schemas/PlaceSpecimenRequest",
  });
  assert.deepEqual(account.components.schemas["PlaceSpecimenRequest"], {
    type: "object",
    required: ["message", "kind"],
    properties: {
      message: { type: "string", maxLength: 40, description: "Must be short." },
      kind: { anyOf: [{ type: "integer", description: "Must be whole." }, { type: "null" }] },
      parts: { type: "array", items: { type: "string", description: "Must be a part." } },
    },
    additionalProperties: false,
  });
});

test("every record is a named schema that the document references", () => {
  const expected = [
    "Account ApiKey Catalogue Deposit DepositAddress LedgerEntry NetworkAssignment Order Quote " +
      "Server ServerAction ServerDetail Session SshKey Withdrawal",
    "AuditEntry CustomerAccount Machine Overview Subnet WorkItem",
  ];
  for (const [index, document] of documents.entries()) {
    const { schemas } = document.components;
    const names = expected[index]!.split(" ");
    assert.deepEqual(
      names.filter((name) => !(name in schemas)),
      [],
    );
    // All errors share one schema, and each response narrows the code inline.
    const { Error: _, ...others } = schemas;
    const inPlace = [
      ...schemasIn(document.paths),
      ...Object.values(others).flatMap((schema) => schemasIn(schema)),
    ].filter((schema) => schema["type"] === "object" && "properties" in schema);
    assert.deepEqual(
      inPlace.filter((schema) => Object.keys(schema["properties"] as object).length > 0),
      [],
    );
  }
});

test("two different schemas with the same name are an error", () => {
  const answer = (field: string) => ({
    ...specimens["findSpecimens"]!,
    answers: { 200: Type.Object({ [field]: Type.String() }, { title: "Specimen" }) },
  });
  const table = { one: answer("a"), two: { ...answer("b"), path: "/api/v1/others" } };
  assert.throws(() => openApiDocument("1.2.3", table), /Specimen/);
});

test("a number in a query is documented as a number", () => {
  const quantity = described("readQuote").parameters?.find(({ name }) => name === "quantity");
  const { description, example, schema } = quantity ?? {};
  assert.deepEqual(schema, { type: "integer", minimum: 1, maximum: 20 });
  assert.deepEqual([description, example], ["Must be a whole number from 1 to 20.", 1]);
});

test("every request, response and parameter has an example that matches its schema", () => {
  for (const document of documents) {
    const ajv = new Ajv2020({ strict: false, formats: { "date-time": true, password: true } });
    ajv.addSchema(document, "api");
    const check = (what: string, schema: unknown, example: unknown) => {
      assert.notEqual(example, undefined, `${what} has no example`);
      const inDocument = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object;
      assert.ok(ajv.validate(inDocument, example), `${what}: ${ajv.errorsText()}`);
      const texts = JSON.stringify(example);
      assert.ok(!texts.includes("…"), `${what} has an ellipsis: ${texts}`);
      assert.ok(!texts.includes(`"${unknownText}"`), `${what}: name an example in ${texts}`);
    };
    for (const { operationId, parameters = [], requestBody, responses } of operationsIn(document)) {
      for (const { $ref, name, schema, example } of parameters) {
        const shared = String($ref).replace("#/components/parameters/", "");
        const given = { schema, example };
        const one = $ref === undefined ? given : document.components.parameters[shared];
        check(
          `${operationId} ${typeof name === "string" ? name : shared}`,
          one?.["schema"],
          one?.["example"],
        );
      }
      if (requestBody !== undefined) {
        const { schema, example } = requestBody.content["application/json"];
        check(`${operationId}'s request`, schema, example);
      }
      for (const [status, { content }] of Object.entries(responses)) {
        if (Number(status) >= 300 || content === undefined) continue;
        const { schema, example } = content["application/json"];
        check(`${operationId}'s ${status}`, schema, example);
      }
    }
    const error = document.components.schemas["Error"]!;
    check("Error", error, (error["examples"] as unknown[])[0]);
  }
});

test("parameters include the path, the query and the required headers", () => {
  assert.deepEqual(parameterNames("placeSpecimen"), [
    "path id true",
    "Idempotency-Key",
    "x-csrf-token",
  ]);
  assert.deepEqual(parameterNames("findSpecimens"), ["query kind true", "query after false"]);
  assert.deepEqual(parameterNames("signOut"), ["x-csrf-token"]);
  assert.equal(parameterNames("signIn"), undefined);
});

test("security schemes describe the access, and x-scopes the scopes of API keys", () => {
  const session = { session: [], csrfCookie: [] };
  assert.deepEqual(described("signIn").security, []);
  assert.deepEqual(described("signOut").security, [session]);
  assert.deepEqual(described("findSpecimens").security, [session, { apiKey: [] }]);
  assert.deepEqual(described("findSpecimens")["x-scopes"], ["read", "servers"]);
  const { session: scheme } = account.components.securitySchemes;
  assert.equal(scheme?.["name"], "__Host-svc-session");
});

test("exactly the extensions have x-extension and a note", () => {
  for (const [id, operation] of Object.entries<Operation>(everything)) {
    if (operation.listener !== "account") continue;
    const { "x-extension": mark, description = "" } = described(id);
    assert.equal(mark ?? false, operation.extension, id);
    assert.equal(description.includes("**Extension**"), operation.extension, id);
  }
});

test("responses document their headers", () => {
  const limited = ["x-request-id", "retry-after", "ratelimit", "ratelimit-policy"];
  assert.deepEqual(headersAt("placeSpecimen", 200), ["x-request-id", "idempotent-replayed"]);
  assert.deepEqual(headersAt("signIn", 429), limited);
  assert.deepEqual(headersAt("signIn", 200), ["x-request-id", "set-cookie"]);
  const operator = documentOf("1.2.3", everything, "operator");
  const { headers } = described("readCatalogueDocument", operator).responses["200"]!;
  assert.deepEqual(Object.keys(headers), ["x-request-id", "etag"]);
});

test("the document is deterministic", () => {
  const texts = [1, 2].map(() => JSON.stringify(openApiDocument("1.2.3", everything)));
  assert.equal(texts[0], texts[1]);
});

test("the documents of both listeners pass Redocly's recommended rules without a warning", (t) => {
  assert.deepEqual(lint(t, openApiDocument("1.2.3")), []);
  assert.deepEqual(lint(t, openApiDocument("1.2.3", everything)), []);
  assert.deepEqual(lint(t, openApiDocument("1.2.3", everything, "operator")), []);
});

/** Collects every schema by its position, because field names can look like keywords. */
function schemasIn(value: unknown, isSchema = false): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap((item) => schemasIn(item, isSchema));
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, child]) => {
    if (key === "properties" || key === "schemas") {
      return Object.values(child as object).flatMap((schema) => schemasIn(schema, true));
    }
    const isInner = ["schema", "items", "allOf", "anyOf", "oneOf"].includes(key);
    return schemasIn(child, isInner);
  });
  return isSchema ? [value as Record<string, unknown>, ...inner] : inner;
}

function lint(t: TestContext, document: object): unknown[] {
  const folder = mkdtempSync(join(tmpdir(), "openapi-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
  writeFileSync(join(folder, "redocly.yaml"), "extends: [recommended]\n");
  const redocly = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [redocly, "lint", "openapi.json", "--format=json"],
    {
      cwd: folder,
      encoding: "utf8",
      env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    },
  );
  assert.match(stdout, /^\{/, stderr);
  const { problems } = JSON.parse(stdout) as { problems: { message: string; location: unknown }[] };
  return problems.map(({ message, location }) => ({ message, location }));
}
