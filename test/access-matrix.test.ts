import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isChange, operations, roles, type Operation } from "@ironlease/contract";
import { accountCallers, createAccountWorld } from "#test/account-callers.ts";
import { signedIn, type Caller } from "#test/access-callers.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer, type RequestOptions, type Send } from "#test/https-client.ts";
import { createOperatorWorld, operatorCallers } from "#test/operator-callers.ts";
import { startTestService, type TestService } from "#test/service.ts";

/** Calls every operation in the table as every kind of caller. Operations are not listed here. */
const matrix = Object.entries<Operation>(operations);
const ofListener = (listener: Operation["listener"]) =>
  matrix.filter(([, operation]) => operation.listener === listener);

/** Any other code means that access was granted and the request failed on fields, ids or rules. */
const accessCodes = new Set([
  "authentication_required",
  "session_invalid",
  "csrf_failed",
  "origin_rejected",
  "api_key_forbidden",
  "insufficient_scope",
  "account_frozen",
  "role_forbidden",
  "second_factor_required",
]);

test("every operation is in one of the two matrices, with an access kind that its listener supports", () => {
  const covered = [...ofListener("account"), ...ofListener("operator")].map(([id]) => id);
  assert.deepEqual(covered.toSorted(), Object.keys(operations).toSorted());
  for (const [id, operation] of matrix) {
    const { kind } = operation.access;
    assert.ok(
      kind === "public" || (kind === "operator") === (operation.listener === "operator"),
      id,
    );
    if (operation.listener !== "operator") continue;
    if (kind === "operator") assert.ok(roles.includes(operation.access.role), id);
    // Signing in is the only public change there.
    else {
      const isSignIn = operation.cookies === "set" || id === "beginOperatorPasskeySignIn";
      assert.ok(!isChange(operation) || isSignIn, id);
    }
  }
});

test("each scope covers the reads that are documented for it, and no other operation", () => {
  const covered = ofListener("account").flatMap(([id, { access }]) =>
    access.kind === "session" ? access.scopes.map((scope) => `${scope} ${id}`) : [],
  );
  assert.deepEqual(covered.toSorted(), [
    "billing listLedgerEntries",
    "billing readLedger",
    "billing readLedgerEntry",
    "billing readStatement",
    "read listOrders",
    "read listServers",
    "read readServer",
    "servers listAssignments",
    "servers listServers",
    "servers readServer",
  ]);
});

forEachEngine((engine) => {
  describe("access matrix of customers", () => {
    let service: TestService;
    before(async () => {
      service = await startTestService(engine);
    });
    after(() => service.close());

    matrixTests(ofListener("account"), accountCallers, {
      send: (...request) => service.send(...request),
      createWorld: () => createAccountWorld(service),
    });

    test("operator operations are 404 for every caller", async () => {
      const { ada, operator } = await createAccountWorld(service);
      for (const [id, operation] of ofListener("operator")) {
        for (const options of [{}, signedIn(await ada()), signedIn(operator)]) {
          const answer = await call(service.send, operation, options);
          assert.equal(codeOf(answer), "not_found", `${id}: ${answer.text}`);
        }
      }
    });
  });

  describe("access matrix of operators", () => {
    let service: TestService;
    before(async () => {
      service = await startTestService(engine, { mode: "serve" });
    });
    after(() => service.close());

    matrixTests(ofListener("operator"), operatorCallers, {
      send: (...request) => service.sendToDesk(...request),
      createWorld: () => createOperatorWorld(service),
    });

    test("account operations are 404 for every caller", async () => {
      const { as, customer, keys } = await createOperatorWorld(service);
      const authorization = `Bearer ${keys["read"]}`;
      for (const [id, operation] of ofListener("account")) {
        for (const options of [
          { headers: { authorization } },
          signedIn(customer),
          signedIn(await as.admin()),
        ]) {
          const answer = await call(service.sendToDesk, operation, options);
          assert.equal(codeOf(answer), "not_found", `${id}: ${answer.text}`);
        }
      }
    });
  });
});

interface Side<World> {
  readonly send: Send;
  readonly createWorld: () => Promise<World>;
}

function matrixTests<World>(
  rows: readonly (readonly [string, Operation])[],
  callers: readonly Caller<World>[],
  { send, createWorld }: Side<World>,
): void {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  for (const [id, operation] of rows) {
    test(`${id} grants or refuses each caller as the operation table specifies`, async () => {
      for (const caller of callers) {
        const answer = await call(send, operation, await caller.options(world));
        assertAccess(`${caller.name} on ${id}`, answer, caller.expected(operation));
      }
    });
  }
}

/** Sends an invalid body, so that a request that is granted access fails on its fields and changes nothing. */
function call(send: Send, operation: Operation, options: RequestOptions): Promise<Answer> {
  const path = operation.path.replaceAll(/\{[^}]+\}/g, "ses_00000000000000000000000000");
  const body = isChange(operation) && operation.body !== undefined ? { body: { unknown: 1 } } : {};
  return send(operation.method, path, { ...body, ...options });
}

function assertAccess(what: string, answer: Answer, expected: string | undefined): void {
  const code = codeOf(answer);
  if (expected === undefined) {
    assert.ok(!accessCodes.has(code ?? ""), `${what} must be granted, but got ${answer.text}`);
    assert.ok(answer.status < 500, `${what} got ${answer.text}`);
  } else {
    assert.equal(code, expected, `${what} got ${answer.text}`);
  }
}
