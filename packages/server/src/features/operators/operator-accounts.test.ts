import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { testClient } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import {
  openSecondFactorDesk,
  operatorPassword as password,
  type SecondFactorDesk,
} from "#test/second-factor.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import { addTestOperator, disableOperator, enableOperator } from "#test/operators.ts";
import { addOperator } from "./add-operator.ts";
import { authenticateOperator } from "./authenticate-operator.ts";
import { listOperators } from "./list-operators.ts";
import { resetOperator } from "./reset-operator.ts";
import { signInOperator } from "./sign-in-operator.ts";
import { signOutOperator } from "./sign-out-operator.ts";
import { systemCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";

forEachEngine((engine) => {
  describe("operators' accounts", () => {
    let desk: SecondFactorDesk;
    before(async () => {
      desk = await openSecondFactorDesk(engine);
      await addTestOperator(desk.core, "admin");
    });
    after(() => desk.opened.dispose());

    test("usernames are unique regardless of case, even among ten concurrent additions", async () => {
      const add = (username: string) =>
        codeOf(addOperator(desk.core, systemCall, { username, role: "support", password }));
      const codes = await Promise.all(
        Array.from({ length: 10 }, (_, index) => add(index % 2 === 0 ? "Grace" : "grace")),
      );
      assert.deepEqual(codes.toSorted(), ["ok", ...Array<string>(9).fill("username_taken")]);
      assert.equal(await codeOf(desk.signIn("GRACE")), "ok");
    });

    test("an invalid username is refused with the rule that it breaks", async () => {
      for (const username of ["ab", "1abc", "a b", "ada\n", "a".repeat(33), "", "ünder"]) {
        const fields = await fieldsOf(
          addOperator(desk.core, systemCall, { username, role: "admin", password }),
        );
        assert.equal(fields?.[0]?.field, "username", username);
      }
    });

    test("a disabled operator is signed out and refused like an unknown one, and can sign in again once enabled", async () => {
      const { username, operatorId } = await desk.newOperator();
      const { sessionToken } = await valueOf(desk.signIn(username));
      const disable = () => valueOf(disableOperator(desk.core, username.toUpperCase()));
      assert.deepEqual(await disable(), { username, isChanged: true });
      assert.deepEqual(await disable(), { username, isChanged: false });
      assert.equal(await authenticateOperator(desk.core, sessionToken), undefined);
      assert.equal(await codeOf(desk.signIn(username)), "invalid_credentials");
      const enable = () => valueOf(enableOperator(desk.core, username));
      assert.deepEqual(await enable(), { username, isChanged: true });
      assert.deepEqual(await enable(), { username, isChanged: false });
      assert.equal(await authenticateOperator(desk.core, sessionToken), undefined);
      assert.equal(await codeOf(desk.signIn(username)), "ok");
      assert.deepEqual(await desk.actionsOn(operatorId), [
        ...["sign_in", "sign_in", "disable", "refuse_sign_in", "enable", "sign_in"],
      ]);
    });

    test("disabling an operator during concurrent sign-ins leaves no session", async () => {
      const { username, operatorId } = await desk.newOperator();
      const signIns = Array.from({ length: 12 }, () => desk.signIn(username));
      await Promise.all([...signIns, disableOperator(desk.core, username)]);
      const living = await desk.core.db.read
        .selectFrom("operator_sessions")
        .select("id")
        .where("operator_id", "=", operatorId)
        .execute();
      assert.deepEqual(living, []);
    });

    test("a reset sets a new password, removes the second factor, ends every session and does not enable the operator", async () => {
      const { username, session, codeNow, recoveryCodes } = await desk.withSecondFactor();
      const { sessionToken } = await valueOf(desk.signIn(username, codeNow()));
      await disableOperator(desk.core, username);
      const reset = await valueOf(resetOperator(desk.core, systemCall, { username }));
      assert.equal(reset.isDisabled, true);
      assert.match(reset.password, /^(?:[0-9a-z]{5}-){3}[0-9a-z]{5}$/);
      const signInAgain = (totp?: string) => {
        const input = { username, password: reset.password, totp };
        const presented = { presentedSessionToken: undefined };
        return codeOf(signInOperator(desk.core, testClient, { ...input, ...presented }));
      };
      assert.equal(await signInAgain(), "invalid_credentials", "it stays disabled");
      await enableOperator(desk.core, username);
      assert.equal(await authenticateOperator(desk.core, sessionToken), undefined);
      assert.equal(await codeOf(desk.signIn(username)), "invalid_credentials", "the old password");
      assert.equal(await signInAgain(), "ok");
      const codes = await desk.core.db.read
        .selectFrom("operator_recovery_codes")
        .select("code_hash")
        .where("operator_id", "=", session.operatorId)
        .execute();
      assert.equal(recoveryCodes.length - codes.length, 10);
    });

    test("an unknown username is not_found with advice", async () => {
      const reset = (core: Core, username: string) => resetOperator(core, systemCall, { username });
      for (const change of [disableOperator, enableOperator, reset]) {
        const result = await change(desk.core, "no-such-operator");
        assert.ok(!result.ok && result.refusal.code === "not_found");
        assert.match(result.refusal.message ?? "", /operator list/);
      }
    });

    test("the list shows role, second factor, disabled operators and last use", async () => {
      const never = await valueOf(
        addOperator(desk.core, systemCall, { username: "zz-never", role: "finance", password }),
      );
      const gone = await desk.newOperator();
      desk.clock.advance(60_000);
      await signOutOperator(desk.core, { operator: gone.session, client: testClient });
      const signedOutAt = desk.clock.now();
      const strong = await desk.withSecondFactor();
      await disableOperator(desk.core, strong.username);
      const all = await listOperators(desk.core);
      const names = all.map(({ username }) => username);
      assert.deepEqual(names, names.toSorted());
      const find = (username: string) => all.find((listed) => listed.username === username);
      const { id, createdAt, ...listed } = find(never.username) ?? assert.fail();
      assert.equal(id, never.id);
      assert.ok(createdAt <= desk.clock.now());
      assert.deepEqual(listed, {
        username: "zz-never",
        role: "finance",
        allowedNetworks: null,
        lastSignInAt: null,
        hasSecondFactor: false,
        disabledAt: null,
        lastSeenAt: null,
      });
      assert.equal(find(gone.username)?.lastSeenAt, signedOutAt);
      assert.equal(find(strong.username)?.hasSecondFactor, true);
      assert.equal(find(strong.username)?.disabledAt, desk.clock.now());
    });
  });
});
