import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { sealingWith } from "#test/bare-core.ts";
import { forEachEngine } from "#test/engines.ts";
import { openSecondFactorCustomers } from "#test/second-factor-customers.ts";
import { codeOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { totpContext } from "#kernel/second-factor/totp.ts";
import { resealAccountFactors } from "./reseal-second-factors.ts";

forEachEngine((engine) => {
  test("a new key seals every second factor once, and without any key a recovery code still works", async () => {
    const customers = await openSecondFactorCustomers(engine);
    try {
      const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
      const withKeys = (...keys: readonly Buffer[]): Core => ({
        ...customers.core,
        sealing: sealingWith(...keys),
      });
      const { username, accountId, secret, codeNow, recoveryCodes } =
        await customers.withSecondFactor();
      const sealed = await withKeys(oldKey).sealing.seal(secret, totpContext(accountId));
      await customers.core.db.write(async (tx) => {
        const row = { totp_secret: sealed, totp_pending: sealed };
        await tx.updateTable("accounts").set(row).where("id", "=", accountId).execute();
        return ok();
      });
      const signInWith = (at: Core, totp: string | undefined) =>
        customers.signIn(username, totp, { at });
      const [both, none] = [withKeys(newKey, oldKey), withKeys(randomBytes(32))];
      assert.deepEqual(await resealAccountFactors(none), {
        resealed: 0,
        lost: [accountId, accountId],
      });
      assert.equal(await codeOf(signInWith(none, recoveryCodes[0])), "ok");
      await assert.rejects(signInWith(none, codeNow()));
      assert.deepEqual(await resealAccountFactors(both), { resealed: 2, lost: [] });
      assert.deepEqual(await resealAccountFactors(both), { resealed: 0, lost: [] });
      assert.equal(await codeOf(signInWith(withKeys(newKey), codeNow())), "ok");
    } finally {
      await customers.opened.dispose();
    }
  });
});
