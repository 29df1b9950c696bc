import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isChange, operations, scopes, type Operation } from "@ironlease/contract";
import { forEachEngine } from "./support/engines.ts";
import { codeOf, type Answer, type RequestOptions } from "./support/https-client.ts";
import { startTestService, type Customer, type TestService } from "./support/service.ts";

/**
 * Every operation against everybody who might call it. The table says who may; this says what
 * everybody else hears. A new operation is covered by being in the table: nothing is listed here.
 */
interface Caller {
  readonly name: string;
  /** What to send besides the path. */
  readonly options: (world: World, operation: Operation) => RequestOptions;
  /** The code that the operation must answer with; undefined when access must be granted. */
  readonly expected: (operation: Operation) => string | undefined;
}

interface World {
  readonly ada: Customer;
  readonly other: Customer;
  readonly keys: Readonly<Record<string, string>>;
}

const isPublic = (operation: Operation) => operation.access.kind === "public";

const needsSession = (operation: Operation) =>
  isPublic(operation) ? undefined : "authentication_required";

const bearer = (value: string | undefined): RequestOptions => ({
  headers: { authorization: `Bearer ${value}` },
});

const withCookies = (cookie: string, csrfToken: string): RequestOptions => ({
  headers: { cookie, "x-csrf-token": csrfToken },
});

const callers: readonly Caller[] = [
  { name: "nobody", options: () => ({}), expected: needsSession },
  {
    name: "a session",
    options: ({ ada }) => withCookies(ada.cookie, ada.csrfToken),
    expected: () => undefined,
  },
  {
    name: "a session without the CSRF header",
    options: ({ ada }) => ({ headers: { cookie: ada.cookie } }),
    expected: (operation) =>
      isPublic(operation) || !isChange(operation) ? undefined : "csrf_failed",
  },
  {
    name: "a session with the CSRF header of another sign-in",
    options: ({ ada, other }) => withCookies(ada.cookie, other.csrfToken),
    expected: (operation) =>
      isPublic(operation) || !isChange(operation) ? undefined : "csrf_failed",
  },
  {
    name: "a session with the CSRF cookie of another sign-in",
    options: ({ ada, other }) => withCookies(mixedCookies(ada.cookie, other.cookie), ada.csrfToken),
    expected: (operation) => (isPublic(operation) ? undefined : "session_invalid"),
  },
  {
    name: "a session without its CSRF cookie",
    options: ({ ada }) => withCookies(ada.cookie.split("; ")[0] ?? "", ada.csrfToken),
    expected: (operation) => (isPublic(operation) ? undefined : "session_invalid"),
  },
  {
    name: "a session sent twice",
    options: ({ ada }) => withCookies(`${ada.cookie}; ${ada.cookie}`, ada.csrfToken),
    expected: (operation) => (isPublic(operation) ? undefined : "session_invalid"),
  },
  {
    name: "a session from a foreign Origin",
    options: ({ ada }) => ({
      headers: {
        cookie: ada.cookie,
        "x-csrf-token": ada.csrfToken,
        origin: "https://evil.example",
      },
    }),
    expected: () => "origin_rejected",
  },
  {
    name: "a session from the null Origin",
    options: ({ ada }) => ({
      headers: { cookie: ada.cookie, "x-csrf-token": ada.csrfToken, origin: "null" },
    }),
    expected: () => "origin_rejected",
  },
  {
    name: "a session from a cross-site page that hides its Origin",
    options: ({ ada }) => ({
      headers: {
        cookie: ada.cookie,
        "x-csrf-token": ada.csrfToken,
        "sec-fetch-site": "cross-site",
      },
    }),
    expected: (operation) => (isChange(operation) ? "origin_rejected" : undefined),
  },
  ...scopes.map((scope): Caller => ({
    name: `a key with scope ${scope}`,
    options: ({ keys }) => bearer(keys[scope]),
    expected: (operation) => {
      if (isChange(operation)) return "api_key_forbidden";
      if (operation.access.kind !== "session") return undefined;
      return operation.access.scopes.includes(scope) ? undefined : "insufficient_scope";
    },
  })),
  {
    name: "a key beside a session",
    options: ({ ada, keys }) => ({
      headers: {
        cookie: ada.cookie,
        "x-csrf-token": ada.csrfToken,
        authorization: `bearer ${keys["read"]}`,
      },
    }),
    expected: (operation) => {
      if (isChange(operation)) return "api_key_forbidden";
      if (operation.access.kind !== "session") return undefined;
      return operation.access.scopes.includes("read") ? undefined : "insufficient_scope";
    },
  },
  {
    name: "a revoked key",
    options: ({ keys }) => bearer(keys["revoked"]),
    expected: (operation) => (isChange(operation) ? "api_key_forbidden" : needsSession(operation)),
  },
  {
    name: "a made-up key",
    options: () => bearer("svk_made-up"),
    expected: (operation) => (isChange(operation) ? "api_key_forbidden" : needsSession(operation)),
  },
];

/** Granted means that it got past access: whatever is said then is about fields, ids or rules. */
const accessCodes = new Set([
  "authentication_required",
  "session_invalid",
  "csrf_failed",
  "origin_rejected",
  "api_key_forbidden",
  "insufficient_scope",
]);

function mixedCookies(sessionOf: string, csrfOf: string): string {
  return [sessionOf.split("; ")[0], csrfOf.split("; ")[1]].join("; ");
}

forEachEngine((engine) => {
  describe("access matrix", () => {
    let service: TestService;

    before(async () => {
      service = await startTestService(engine);
    });
    after(() => service.close());

    for (const [id, operation] of Object.entries<Operation>(operations)) {
      if (operation.listener !== "account") continue;
      test(`${id} answers each caller as the table says`, async () => {
        const world = await createWorld(service);
        // The call that is granted comes last: it may end the very session that the others present.
        const inOrder = callers.toSorted(
          (a, b) =>
            Number(a.expected(operation) === undefined) -
            Number(b.expected(operation) === undefined),
        );
        for (const caller of inOrder) {
          const options = caller.options(world, operation);
          const answer = await call(service, operation, options);
          assertAccess(`${caller.name} on ${id}`, answer, caller.expected(operation));
          if (endsSession(operation) && caller.expected(operation) === undefined) break;
        }
      });
    }
  });
});

function endsSession(operation: Operation): boolean {
  return operation.cookies !== undefined;
}

async function createWorld(service: TestService): Promise<World> {
  const ada = await service.register();
  const other = await service.register();
  const keys: Record<string, string> = {};
  for (const scope of [...scopes, "revoked"]) {
    const body = { name: scope, scope: scope === "revoked" ? "read" : scope };
    const { json } = await ada.send("POST", "/api/v1/api-keys", { body });
    keys[scope] = json.key;
    if (scope === "revoked") await ada.send("DELETE", `/api/v1/api-keys/${json.id}`);
  }
  return { ada, other, keys };
}

/** A body that no operation takes: past access it is refused for its fields and changes nothing. */
function call(
  service: TestService,
  operation: Operation,
  options: RequestOptions,
): Promise<Answer> {
  const path = operation.path.replaceAll(/\{[^}]+\}/g, "ses_00000000000000000000000000");
  const body = isChange(operation) && operation.body !== undefined ? { body: { unknown: 1 } } : {};
  return service.send(operation.method, path, { ...body, ...options });
}

function assertAccess(what: string, answer: Answer, expected: string | undefined): void {
  const code = codeOf(answer);
  if (expected === undefined) {
    assert.ok(!accessCodes.has(code ?? ""), `${what} must be let in, but got ${answer.text}`);
    assert.ok(answer.status < 500, `${what} got ${answer.text}`);
  } else {
    assert.equal(code, expected, `${what} got ${answer.text}`);
  }
}
