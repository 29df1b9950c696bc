import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { roles, type Operation, type Role } from "@ironlease/contract";
import { freezeAccount } from "#server/features/customers/freeze-account.ts";
import { totpContext } from "#server/kernel/second-factor/totp.ts";
import { endAllAccess } from "#server/kernel/access/account-sessions.ts";
import type { Tx } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import { newCustomer, type Credentials } from "#test/access-callers.ts";
import { sendWithDelayedBody } from "#test/delayed-body.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer } from "#test/https-client.ts";
import { untilBlocked } from "#test/lock-waits.ts";
import { disableOperator, operatorCall, signInOperator } from "#test/operators.ts";
import { startRental, type Rental } from "#test/rental-service.ts";
import { password, startTestService, type TestService } from "#test/service.ts";
import { guardedChanges } from "#test/sample-bodies.ts";
import { valueOf } from "#test/use-cases.ts";

/**
 * Extends the access matrix: every change whose caller loses access after the service has admitted the
 * headers and before the body arrives. The operation table covers new operations automatically.
 */
interface Ending<Caller> {
  readonly name: string;
  readonly end: (caller: Caller) => Promise<unknown>;
  /** The error code of the answer; undefined if the operation is still allowed. */
  readonly expected: (operation: Operation) => string | undefined;
}

const endedCodes = new Set([
  "authentication_required",
  "account_frozen",
  "role_forbidden",
  "second_factor_required",
]);

interface OperatorChange {
  readonly role?: Role;
  readonly totp_secret?: null;
  readonly totp_pending?: string;
  readonly password_hash?: string;
}

const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const unknownId = "srv_00000000000000000000000000";

function sendAndEndAccess(
  service: TestService,
  operation: Operation,
  { cookie, csrfToken }: Credentials,
  body: object,
  meanwhile: () => Promise<unknown>,
): Promise<Answer> {
  const isDesk = operation.listener === "operator";
  return sendWithDelayedBody(isDesk ? service.operatorUrl : service.url, service.ca, {
    method: operation.method,
    path: operation.path.replaceAll(/\{[^}]+\}/g, unknownId),
    headers: { cookie, "x-csrf-token": csrfToken, "idempotency-key": "ended-while-arriving" },
    body,
    meanwhile,
  });
}

function assertEnded(answer: Answer, expected: string | undefined): void {
  if (expected !== undefined) assert.equal(codeOf(answer), expected, answer.text);
  else assert.ok(answer.status < 500 && !endedCodes.has(codeOf(answer) ?? ""), answer.text);
}

forEachEngine((engine) => {
  describe("a customer loses access between the headers and the body", () => {
    let service: TestService;
    let passwordHash: string;
    before(async () => {
      service = await startTestService(engine);
      passwordHash = await valueOf(service.core.passwords.hash(password));
    });
    after(() => service.close());

    type Customer = Awaited<ReturnType<typeof newCustomer>>;
    const change = (work: (tx: Tx) => Promise<unknown>) =>
      service.core.db.write(async (tx) => {
        await work(tx);
        return ok();
      });
    const endings: readonly Ending<Customer>[] = [
      {
        name: "the session is revoked",
        end: ({ accountId }) =>
          change((tx) => tx.deleteFrom("sessions").where("account_id", "=", accountId).execute()),
        expected: () => "authentication_required",
      },
      {
        name: "the account is recovered",
        end: ({ accountId }) => change((tx) => endAllAccess(tx, accountId)),
        expected: () => "authentication_required",
      },
      {
        name: "the account is frozen",
        end: async ({ accountId }) => {
          const admin = await operatorCall(service.core, "admin");
          await valueOf(freezeAccount(service.core, admin, { accountId, reason: "fraud" }));
        },
        expected: ({ frozen }) => (frozen === "allowed" ? undefined : "account_frozen"),
      },
    ];
    for (const [id, operation, body] of guardedChanges) {
      if (operation.listener !== "account") continue;
      for (const { name, end, expected } of endings) {
        test(`${id} when ${name}`, async () => {
          const customer = await newCustomer(service.core);
          // Without a pending second factor, confirmSecondFactor would be refused before it writes.
          const place = totpContext(customer.accountId);
          const pending = await service.core.sealing.seal(secret, place);
          await change((tx) =>
            tx
              .updateTable("accounts")
              .set({ password_hash: passwordHash, totp_pending: pending })
              .where("id", "=", customer.accountId)
              .execute(),
          );
          const session = await customer.signIn();
          const answer = await sendAndEndAccess(service, operation, session, body, () =>
            end(customer),
          );
          assertEnded(answer, expected(operation));
        });
      }
    }
  });

  describe("an operator loses access between the headers and the body", () => {
    let service: TestService;
    let passwordHash: string;
    before(async () => {
      service = await startTestService(engine, { mode: "serve" });
      passwordHash = await valueOf(service.core.passwords.hash(password));
    });
    after(() => service.close());

    type Operator = Awaited<ReturnType<typeof signInOperator>>;
    const update = (operatorId: string, values: OperatorChange) =>
      service.core.db.write(async (tx) => {
        await tx.updateTable("operators").set(values).where("id", "=", operatorId).execute();
        return ok();
      });
    const needsMore = (operation: Operation) =>
      operation.access.kind === "operator" && operation.access.role !== "support";
    const endings: readonly Ending<Operator>[] = [
      {
        name: "the operator signs out",
        end: ({ send }) => send("POST", "/operator/v1/auth/logout"),
        expected: () => "authentication_required",
      },
      {
        name: "the operator is disabled",
        end: ({ username }) => valueOf(disableOperator(service.core, username)),
        expected: () => "authentication_required",
      },
      {
        name: "the operator's role is lowered to support",
        end: ({ operatorId }) => update(operatorId, { role: "support" }),
        expected: (operation) => (needsMore(operation) ? "role_forbidden" : undefined),
      },
      {
        name: "the operator's second factor is removed",
        end: ({ operatorId }) => update(operatorId, { totp_secret: null }),
        expected: (operation) => (needsMore(operation) ? "second_factor_required" : undefined),
      },
    ];
    for (const [id, operation, body] of guardedChanges) {
      if (operation.access.kind !== "operator") continue;
      const { role } = operation.access;
      assert.ok(roles.includes(role));
      for (const { name, end, expected } of endings) {
        test(`${id} when ${name}`, async () => {
          const { core, sendToDesk } = service;
          const has = role === "support" ? {} : { totpSecret: secret };
          const operator = await signInOperator(core, sendToDesk, role, has);
          // Without a pending second factor, confirmTotp would be refused before it writes.
          const place = totpContext(operator.operatorId);
          const pending = await core.sealing.seal(secret, place);
          await update(operator.operatorId, { totp_pending: pending, password_hash: passwordHash });
          const answer = await sendAndEndAccess(service, operation, operator, body, () =>
            end(operator),
          );
          assertEnded(answer, expected(operation));
        });
      }
    }
  });

  describe("a request that loses access before its body arrives changes nothing", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine);
    });
    after(() => rental.close());

    const post = (
      customer: Credentials,
      path: string,
      body: object,
      meanwhile: () => Promise<unknown>,
    ) =>
      sendWithDelayedBody(rental.url, rental.ca, {
        method: "POST",
        path,
        headers: {
          cookie: customer.cookie,
          "x-csrf-token": customer.csrfToken,
          "idempotency-key": "half-sent-request",
        },
        body,
        meanwhile,
      });
    const newPassword = "another long pass phrase";

    test("creating an API key during a recovery is 401 and stores no key", async () => {
      const ada = await rental.customer(0);
      const { username, recoveryCode } = ada;
      const answer = await post(ada, "/api/v1/api-keys", { name: "kept", scope: "read" }, () =>
        rental.send("POST", "/api/v1/auth/recover", {
          body: { username, recoveryCode, newPassword },
        }),
      );
      assert.deepEqual([answer.status, codeOf(answer)], [401, "authentication_required"]);
      const keys = rental.core.db.read.selectFrom("api_keys").select("id");
      assert.deepEqual(await keys.where("account_id", "=", ada.accountId).execute(), []);
    });

    test("a withdrawal during a password change is 401 and leaves the balance unchanged", async () => {
      const ada = await rental.customer(100);
      const withdrawal = {
        asset: "ETH",
        destination: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
        usd: 100,
      };
      const answer = await post(ada, "/api/v1/withdrawals", withdrawal, () =>
        ada.send("POST", "/api/v1/auth/password", {
          body: { currentPassword: ada.password, newPassword },
        }),
      );
      assert.deepEqual([answer.status, codeOf(answer)], [401, "authentication_required"]);
      const balance = await rental.core.db.read
        .selectFrom("balances")
        .select(["available_cents", "held_cents"])
        .where("account_id", "=", ada.accountId)
        .executeTakeFirstOrThrow();
      assert.deepEqual({ ...balance }, { available_cents: 10_000, held_cents: 0 });
    });

    test("a request that waits for the commit of a recovery is refused after it", async () => {
      const ada = await rental.customer(0);
      const { core } = rental;
      let creating: Promise<Answer> | undefined;
      await core.db.write(async (tx) => {
        const account = tx.selectFrom("accounts").select("id").where("id", "=", ada.accountId);
        await account.forNoKeyUpdate().execute();
        creating ??= ada.send("POST", "/api/v1/api-keys", {
          body: { name: "late", scope: "read" },
        });
        await untilBlocked(core.db);
        await endAllAccess(tx, ada.accountId);
        return ok();
      });
      assert.equal(codeOf((await creating) as Answer), "authentication_required");
      const keys = core.db.read.selectFrom("api_keys").select("id");
      assert.deepEqual(await keys.where("account_id", "=", ada.accountId).execute(), []);
    });

    test("every invariant holds afterwards", () => rental.assertInvariants());
  });
});
