import assert from "node:assert/strict";
import { test } from "node:test";
import { errorsOf, operations, type Operation } from "@ironlease/contract";
import { ApiError, ConnectionError } from "./errors.ts";
import { accountApi } from "./generated/account.ts";
import { errorStatuses, type ErrorCode } from "./generated/errors.ts";
import { operatorApi } from "./generated/operator.ts";
import { judge, type Past, type Verdict } from "./judge.ts";

const rows = { ...accountApi.operations, ...operatorApi.operations };
const fresh: Past = { isLost: false, isOwnKey: true };
const afterLoss: Past = { isLost: true, isOwnKey: true };

function refused(id: string, code: ErrorCode, past: Past): Verdict {
  const refusal = { code, message: "", status: errorStatuses[code], requestId: "", fields: [] };
  const error = new ApiError({ ...refusal, retryAfterSeconds: undefined }, { id });
  return judge(rows[id]!, { kind: "refused", error }, past);
}

function lost(
  id: string,
  sent: { isUnsent?: boolean; isUntrusted?: boolean },
  past: Past,
): Verdict {
  const error = new ConnectionError("", { id });
  const how = { isUnsent: false, isUntrusted: false, retryAfterSeconds: undefined, ...sent };
  return judge(rows[id]!, { kind: "lost", error, ...how }, past);
}

const withKey = Object.entries<Operation>(operations).filter(
  ([, { idempotency }]) => idempotency !== "none",
);

test("a withdrawal conflict means recorded when a response was lost or the client generated the key", () => {
  const conflict = (past: Past) => refused("requestWithdrawal", "idempotency_conflict", past);
  assert.equal(conflict({ isLost: true, isOwnKey: false }), "recorded");
  assert.equal(conflict({ isLost: false, isOwnKey: true }), "recorded");
  assert.equal(conflict({ isLost: false, isOwnKey: false }), "refused");
});

test("a conflict of a replayable write is a refusal, because the key belongs to another request", () => {
  for (const past of [fresh, afterLoss]) {
    assert.equal(refused("placeOrder", "idempotency_conflict", past), "refused");
  }
});

test("after a lost response, a refusal before the key check leaves the outcome unknown", () => {
  const before: ErrorCode[] = ["authentication_required", "session_invalid", "csrf_failed"];
  before.push("account_frozen", "origin_rejected", "misdirected_request", "not_found");
  for (const [id, operation] of withKey) {
    for (const code of before.filter((one) => errorsOf(operation).includes(one))) {
      assert.equal(refused(id, code, afterLoss), "unknown", `${id} ${code}`);
      assert.equal(refused(id, code, fresh), "refused", `${id} ${code}`);
    }
  }
});

test("after a lost response, a refusal after the key check is final", () => {
  assert.equal(refused("placeOrder", "insufficient_balance", afterLoss), "refused");
  assert.equal(refused("placeOrder", "capacity_exhausted", afterLoss), "refused");
  assert.equal(refused("requestAction", "server_not_ready", afterLoss), "refused");
  assert.equal(refused("createDepositAddress", "settlement_unavailable", afterLoss), "refused");
});

test("a lost response is retried unless a second copy could have a second effect", () => {
  const verdicts = Object.entries(accountApi.operations).map(([id, { resend }]) => {
    const verdict = lost(id, {}, fresh);
    assert.equal(verdict, resend === "never" ? "unknown" : "again", id);
    return [id, verdict] as const;
  });
  assert.deepEqual(
    verdicts.filter(([, verdict]) => verdict === "unknown").map(([id]) => id),
    [
      ...[
        "register",
        "recover",
        "changePassword",
        "closeAccount",
        "beginSecondFactor",
        "confirmSecondFactor",
        "finishPasskey",
        "createApiKey",
        "addSshKey",
        "confirmContact",
      ],
      ...["addWithdrawalAddress", "createWebhook", "rotateWebhookSecret"],
    ],
  );
});

test("a request that was never sent is always retried", () => {
  for (const id of Object.keys(accountApi.operations)) {
    assert.equal(lost(id, { isUnsent: true }, fresh), "again", id);
  }
});

test("an untrusted certificate ends the call: unknown after a lost copy, failed otherwise", () => {
  const untrusted = { isUnsent: true, isUntrusted: true };
  assert.equal(lost("placeOrder", untrusted, fresh), "refused");
  assert.equal(lost("placeOrder", untrusted, afterLoss), "unknown");
});

test("an outage proves nothing: with a key the call is retried, without one the outcome is unknown", () => {
  for (const code of ["internal_error", "service_unavailable"] as const) {
    assert.equal(refused("requestWithdrawal", code, fresh), "again");
    assert.equal(refused("listServers", code, fresh), "again");
    assert.equal(refused("createApiKey", code, fresh), "unknown");
  }
});

test("404 on the retry of a deletion means that the first copy succeeded", () => {
  assert.equal(refused("revokeApiKey", "not_found", afterLoss), "done before");
  assert.equal(refused("revokeApiKey", "not_found", fresh), "refused");
  assert.equal(refused("signOut", "authentication_required", afterLoss), "done before");
  assert.equal(refused("setRenewal", "not_found", afterLoss), "unknown");
});
