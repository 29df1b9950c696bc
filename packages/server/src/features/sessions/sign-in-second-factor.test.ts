import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { rateLimits } from "@ironlease/contract";
import { forEachEngine } from "#test/engines.ts";
import { stepMs } from "#test/second-factor.ts";
import {
  openSecondFactorCustomers,
  type SecondFactorCustomers,
} from "#test/second-factor-customers.ts";
import { codeOf } from "#test/use-cases.ts";

const wrongPassword = "not the pass phrase";

forEachEngine((engine) => {
  describe("a customer's second factor at sign-in, with two instances", () => {
    let customers: SecondFactorCustomers;
    before(async () => {
      customers = await openSecondFactorCustomers(engine);
    });
    after(() => customers.opened.dispose());

    const count = (codes: readonly string[], wanted: string) =>
      codes.filter((code) => code === wanted).length;

    test("accepts a code in one of eight concurrent sign-ins, and no earlier one afterwards", async () => {
      const { username, codeNow } = await customers.withSecondFactor();
      customers.clock.advance(10 * stepMs);
      const [code, before] = [codeNow(), codeNow(-1)];
      const codes = await Promise.all(
        Array.from({ length: 8 }, () => codeOf(customers.signIn(username, code))),
      );
      assert.deepEqual([count(codes, "ok"), count(codes, "invalid_credentials")], [1, 7]);
      assert.equal(await codeOf(customers.signIn(username, before)), "invalid_credentials");
      assert.equal(await codeOf(customers.signIn(username, codeNow(1))), "ok");
    });

    test("accepts a recovery code in one of eight concurrent sign-ins, and only its owner's", async () => {
      const [ada, eve] = [await customers.withSecondFactor(), await customers.withSecondFactor()];
      const [code = ""] = ada.recoveryCodes;
      assert.equal(await codeOf(customers.signIn(eve.username, code)), "invalid_credentials");
      const codes = await Promise.all(
        Array.from({ length: 8 }, () =>
          codeOf(customers.signIn(ada.username, code.toLowerCase().replaceAll("-", " "))),
        ),
      );
      assert.deepEqual([count(codes, "ok"), count(codes, "invalid_credentials")], [1, 7]);
    });

    test("examines ten of 40 concurrent wrong codes, and then no right one until the window ends", async () => {
      const { username, accountId, codeNow, recoveryCodes } = await customers.withSecondFactor();
      const guesses = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          customers.signIn(username, `${index}`.padStart(6, "x")),
        ),
      );
      const codes = guesses.map((guess) => (guess.ok ? "ok" : guess.refusal.code));
      assert.deepEqual(
        [count(codes, "invalid_credentials"), count(codes, "rate_limited")],
        [10, 30],
      );
      const limited = guesses.find((guess) => !guess.ok && guess.refusal.code === "rate_limited");
      assert.equal(!limited?.ok && limited?.refusal.limit?.name, "secondFactorPerAccount");
      assert.equal(await codeOf(customers.signIn(username, codeNow())), "rate_limited");
      assert.equal(await codeOf(customers.signIn(username, recoveryCodes[0])), "rate_limited");
      const wrong = customers.signIn(username, codeNow(), { password: wrongPassword });
      assert.equal(await codeOf(wrong), "invalid_credentials");
      const refused = (await customers.actionsOn(accountId)).filter(
        (action) => action === "account.refuse_second_factor",
      );
      assert.equal(refused.length, 10, "above the limit nothing is written");
      customers.clock.advance(rateLimits.secondFactorPerAccount.windowSeconds * 1000);
      assert.equal(await codeOf(customers.signIn(username, codeNow())), "ok");
    });

    test("counts neither missing codes nor wrong passwords, and wrong codes only towards the ten", async () => {
      const { username, codeNow } = await customers.withSecondFactor();
      const from = { ipAddress: "10.200.0.1" };
      for (let tries = 0; tries < 6; tries += 1) {
        const missing = customers.signIn(username, undefined, from);
        assert.equal(await codeOf(missing), "second_factor_required");
        const other = { password: wrongPassword };
        assert.equal(
          await codeOf(customers.signIn(username, "000000x", other)),
          "invalid_credentials",
        );
      }
      for (let tries = 0; tries < 10; tries += 1) {
        assert.equal(
          await codeOf(customers.signIn(username, tries === 0 ? "" : "000000x", from)),
          "invalid_credentials",
        );
      }
      assert.equal(await codeOf(customers.signIn(username, codeNow(), from)), "rate_limited");
    });

    test("does not count right codes: twelve consecutive sign-ins succeed", async () => {
      const { username, codeNow } = await customers.withSecondFactor();
      for (let tries = 0; tries < 12; tries += 1) {
        customers.clock.advance(stepMs);
        assert.equal(await codeOf(customers.signIn(username, codeNow())), "ok");
      }
    });

    test("a wrong password gets the same refusal with and without it, and uses up no code", async () => {
      const [ada, eve] = [await customers.withSecondFactor(), await customers.newCustomer()];
      const refusalOf = async (username: string, totp?: string) => {
        const result = await customers.signIn(username, totp, { password: wrongPassword });
        return result.ok ? "ok" : result.refusal;
      };
      const plain = await refusalOf(eve.username);
      assert.deepEqual(plain, { code: "invalid_credentials" });
      assert.deepEqual(await refusalOf(ada.username), plain);
      assert.deepEqual(await refusalOf(ada.username, ada.codeNow()), plain);
      assert.equal(await codeOf(customers.signIn(ada.username, ada.codeNow())), "ok");
    });
  });
});
