import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { refuseDebit } from "./insufficient-balance.ts";
import { move } from "./ledger.ts";

forEachEngine((engine) => {
  describe("insufficient balance", () => {
    let testCore: TestCore;
    let accountId: string;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ accountId } = await register(testCore.core));
      const deposit = {
        type: "DEPOSIT",
        accountId,
        cents: 123_450,
        cause: "test/deposit",
        description: "test",
        reference: { kind: "test", id: "test" },
        asset: "BTC",
      } as const;
      await testCore.core.db.write((tx) => move({ tx, core: testCore.core }, deposit));
    });
    after(() => testCore.dispose());

    const refused = async (cents: number, owner: "You" | "The account") => {
      const result = await testCore.core.db.write((tx) =>
        refuseDebit(tx, { accountId, cents }, owner),
      );
      return result.ok ? assert.fail("refuseDebit must refuse") : result.refusal;
    };

    test("the message names the balance and the amount", async () => {
      assert.deepEqual(await refused(123_451, "You"), {
        code: "insufficient_balance",
        message: "Insufficient balance. You have $1,234.50; this needs $1,234.51.",
      });
      assert.deepEqual(await refused(1_000_000_000, "The account"), {
        code: "insufficient_balance",
        message: "Insufficient balance. The account has $1,234.50; this needs $10,000,000.00.",
      });
    });

    test("no figures are shown if a concurrent credit has covered the amount since", async () => {
      assert.deepEqual(await refused(123_450, "You"), { code: "insufficient_balance" });
    });
  });
});
