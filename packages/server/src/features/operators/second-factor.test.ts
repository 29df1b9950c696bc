import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { rateLimits } from "@ironlease/contract";
import { testClient } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import {
  openSecondFactorDesk,
  operatorPassword,
  stepMs,
  type SecondFactorDesk,
} from "#test/second-factor.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import { changeOperatorPassword } from "./change-operator-password.ts";
import { signInOperator } from "./sign-in-operator.ts";

forEachEngine((engine) => {
  describe("the second factor at sign-in", () => {
    let desk: SecondFactorDesk;
    before(async () => {
      desk = await openSecondFactorDesk(engine);
    });
    after(() => desk.opened.dispose());

    test("accepts codes one step before and after, but none two steps away or older than the last used", async () => {
      const { username, codeNow } = await desk.withSecondFactor();
      desk.clock.advance(10 * stepMs);
      for (const steps of [-2, 2]) {
        assert.equal(await codeOf(desk.signIn(username, codeNow(steps))), "invalid_credentials");
      }
      for (const steps of [-1, 0, 1]) {
        assert.equal(await codeOf(desk.signIn(username, codeNow(steps))), "ok", `${steps}`);
        assert.equal(await codeOf(desk.signIn(username, codeNow(steps))), "invalid_credentials");
      }
      assert.equal(await codeOf(desk.signIn(username, codeNow(0))), "invalid_credentials");
    });

    test("refuses a used code even after the clock is set back", async () => {
      const { username, codeNow } = await desk.withSecondFactor();
      const used = codeNow();
      assert.equal(await codeOf(desk.signIn(username, used)), "ok");
      desk.clock.advance(10 * stepMs);
      assert.equal(await codeOf(desk.signIn(username, codeNow())), "ok");
      desk.clock.advance(-10 * stepMs);
      assert.equal(codeNow(), used);
      assert.equal(await codeOf(desk.signIn(username, used)), "invalid_credentials");
      assert.equal(await codeOf(desk.signIn(username, codeNow(1))), "invalid_credentials");
      desk.clock.advance(11 * stepMs);
      assert.equal(await codeOf(desk.signIn(username, codeNow())), "ok");
    });

    test("accepts a code in exactly one of eight concurrent sign-ins from eight addresses", async () => {
      const { username, codeNow } = await desk.withSecondFactor();
      const others = [desk.core, await desk.opened.reopen()];
      const code = codeNow();
      const codes = await Promise.all(
        Array.from({ length: 8 }, (_, index) => {
          const input = {
            username,
            password: operatorPassword,
            totp: code,
            presentedSessionToken: undefined,
          };
          const client = { ...testClient, ipAddress: `10.9.0.${index}` };
          return codeOf(signInOperator(others[index % 2] ?? desk.core, client, input));
        }),
      );
      assert.deepEqual(codes.toSorted(), [...Array<string>(7).fill("invalid_credentials"), "ok"]);
    });

    test("accepts a recovery code once, in any notation, even among eight concurrent sign-ins", async () => {
      const { username, operatorId, recoveryCodes } = await desk.withSecondFactor();
      const [first = "", second = "", third = ""] = recoveryCodes;
      assert.equal(
        await codeOf(desk.signIn(username, first.toLowerCase().replaceAll("-", ""))),
        "ok",
      );
      assert.equal(await codeOf(desk.signIn(username, first)), "invalid_credentials");
      assert.equal(await codeOf(desk.signIn(username, ` ${second.replaceAll("-", " ")} `)), "ok");
      const codes = await Promise.all(
        Array.from({ length: 8 }, () => codeOf(desk.signIn(username, third))),
      );
      assert.equal(codes.filter((code) => code === "ok").length, 1);
      const actions = await desk.actionsOn(operatorId);
      assert.equal(actions.filter((action) => action === "use_recovery_code").length, 3);
    });

    test("refuses another operator's recovery code, which still works for its owner", async () => {
      const [ada, eve] = [await desk.withSecondFactor(), await desk.withSecondFactor()];
      const [code] = ada.recoveryCodes;
      assert.equal(await codeOf(desk.signIn(eve.username, code)), "invalid_credentials");
      assert.equal(await codeOf(desk.signIn(ada.username, code)), "ok");
    });

    test("counts wrong codes per operator across addresses, and concurrent ones cannot exceed the limit", async () => {
      const { username, operatorId, codeNow, recoveryCodes } = await desk.withSecondFactor();
      const guesses = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          desk.signIn(username, `${index}`.padStart(6, "x")),
        ),
      );
      const codes = guesses.map((guess) => (guess.ok ? "ok" : guess.refusal.code));
      assert.equal(codes.filter((code) => code === "invalid_credentials").length, 10);
      assert.equal(codes.filter((code) => code === "rate_limited").length, 30);
      const limited = guesses.find((guess) => !guess.ok && guess.refusal.code === "rate_limited");
      assert.equal(!limited?.ok && limited?.refusal.limit?.name, "secondFactorPerOperator");
      assert.equal(await codeOf(desk.signIn(username, codeNow())), "rate_limited");
      assert.equal(await codeOf(desk.signIn(username, recoveryCodes[0])), "rate_limited");
      // Above the limit nothing is written.
      const refused = (await desk.actionsOn(operatorId)).filter((action) =>
        action.startsWith("refuse"),
      );
      assert.equal(refused.length, 10);
      desk.clock.advance(rateLimits.secondFactorPerOperator.windowSeconds * 1000);
      assert.equal(await codeOf(desk.signIn(username, codeNow())), "ok");
    });

    test("counts a wrong code, but not a missing one, as a failed sign-in of its address", async () => {
      const { username, codeNow } = await desk.withSecondFactor();
      const from = "10.200.0.1";
      for (let count = 0; count < 8; count += 1) {
        assert.equal(
          await codeOf(desk.signIn(username, undefined, from)),
          "second_factor_required",
        );
      }
      for (let count = 0; count < 5; count += 1) {
        assert.equal(await codeOf(desk.signIn(username, "000000x", from)), "invalid_credentials");
      }
      assert.equal(await codeOf(desk.signIn(username, codeNow(), from)), "rate_limited");
      assert.equal(await codeOf(desk.signIn(username, codeNow(), "10.200.0.2")), "ok");
    });

    test("does not count correct codes: twelve consecutive sign-ins succeed", async () => {
      const { username, codeNow } = await desk.withSecondFactor();
      for (let count = 0; count < 12; count += 1) {
        desk.clock.advance(stepMs);
        assert.equal(await codeOf(desk.signIn(username, codeNow())), "ok");
      }
    });

    test("is not required after a wrong password, so that its existence is not revealed", async () => {
      const { username, codeNow } = await desk.withSecondFactor();
      const input = { username, password: "wrong", presentedSessionToken: undefined };
      const wrong = await signInOperator(desk.core, testClient, input);
      const withCode = await signInOperator(desk.core, testClient, { ...input, totp: codeNow() });
      assert.ok(!wrong.ok && !withCode.ok);
      assert.deepEqual(wrong.refusal, { code: "invalid_credentials" });
      assert.deepEqual(withCode.refusal, wrong.refusal);
      assert.equal(
        await codeOf(desk.signIn(username, codeNow())),
        "ok",
        "the code was not used up",
      );
    });

    test("survives a password change", async () => {
      const { username, session, codeNow } = await desk.withSecondFactor();
      const change = {
        currentPassword: operatorPassword,
        newPassword: `${operatorPassword} again`,
      };
      await valueOf(
        changeOperatorPassword(desk.core, { operator: session, client: testClient }, change),
      );
      const input = { username, password: change.newPassword, presentedSessionToken: undefined };
      const signInAgain = (totp?: string) =>
        codeOf(signInOperator(desk.core, testClient, { ...input, totp }));
      assert.equal(await signInAgain(), "second_factor_required");
      assert.equal(await signInAgain(codeNow()), "ok");
    });
  });
});
