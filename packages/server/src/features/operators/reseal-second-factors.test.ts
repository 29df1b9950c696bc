import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { sealingWith, testClient } from "#test/bare-core.ts";
import { forEachEngine } from "#test/engines.ts";
import {
  openSecondFactorDesk,
  operatorPassword,
  type SecondFactorDesk,
} from "#test/second-factor.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { beginTotp } from "./begin-totp.ts";
import { resealSecondFactors } from "./reseal-second-factors.ts";
import { resetOperator } from "./reset-operator.ts";
import { signInOperator } from "./sign-in-operator.ts";
import { totpContext } from "#kernel/second-factor/totp.ts";
import { systemCall } from "#kernel/call.ts";

forEachEngine((engine) => {
  describe("second factors in the database", () => {
    let desk: SecondFactorDesk;
    before(async () => {
      desk = await openSecondFactorDesk(engine);
    });
    after(() => desk.opened.dispose());

    const stored = (operatorId: string) =>
      desk.core.db.read
        .selectFrom("operators")
        .select(["totp_secret", "totp_pending"])
        .where("id", "=", operatorId)
        .executeTakeFirstOrThrow();

    const store = (operatorId: string, secret: string | null) =>
      desk.core.db.write(async (tx) => {
        const row = { totp_secret: secret };
        await tx.updateTable("operators").set(row).where("id", "=", operatorId).execute();
        return ok();
      });

    const opened = async (operatorId: string) => {
      const sealed = (await stored(operatorId)).totp_secret ?? assert.fail("there is none");
      return desk.core.sealing.open(sealed, totpContext(operatorId));
    };

    const withKeys = (...keys: readonly Buffer[]): Core => ({
      ...desk.core,
      sealing: sealingWith(...keys),
    });

    test("neither an active nor a pending secret can be read without the key", async () => {
      const { session, operatorId } = await desk.newOperator();
      const { secret } = await valueOf(
        beginTotp(desk.core, { operator: session, client: testClient }),
      );
      const waiting = (await stored(operatorId)).totp_pending ?? "";
      assert.match(waiting, /^sealed:1:/);
      assert.ok(!waiting.includes(secret));
      const confirmed = await desk.withSecondFactor();
      assert.match((await stored(confirmed.operatorId)).totp_secret ?? "", /^sealed:1:/);
    });

    test("an unsealed secret of an earlier version works and is sealed once", async () => {
      const { username, operatorId, codeNow } = await desk.withSecondFactor();
      await store(operatorId, await opened(operatorId));
      assert.equal(await codeOf(desk.signIn(username, codeNow())), "ok");
      assert.equal(await resealSecondFactors(desk.core), 1);
      assert.equal(await resealSecondFactors(desk.core), 0);
      assert.match((await stored(operatorId)).totp_secret ?? "", /^sealed:1:/);
      assert.equal(await codeOf(desk.signIn(username, codeNow(1))), "ok");
    });

    test("a secret that was copied to another operator's row does not open", async () => {
      const [ada, eve] = [await desk.withSecondFactor(), await desk.withSecondFactor()];
      await store(ada.operatorId, (await stored(eve.operatorId)).totp_secret);
      await assert.rejects(desk.signIn(ada.username, eve.codeNow()));
      await store(ada.operatorId, null);
    });

    test("after a new key is put first and the secrets are resealed, the old key is not needed", async () => {
      const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
      const { username, operatorId, codeNow } = await desk.withSecondFactor();
      const own = await opened(operatorId);
      const sealed = await withKeys(oldKey).sealing.seal(own, totpContext(operatorId));
      await store(operatorId, sealed);
      const others = await forget(operatorId);
      assert.equal(await resealSecondFactors(withKeys(newKey, oldKey)), 1);
      const input = { username, password: operatorPassword, presentedSessionToken: undefined };
      const signedIn = signInOperator(withKeys(newKey), testClient, { ...input, totp: codeNow() });
      assert.equal(await codeOf(signedIn), "ok");
      await others.restore();
    });

    test("a missing key is an error that names the operator and what to do, and a reset fixes it", async () => {
      const { username, operatorId } = await desk.withSecondFactor();
      const others = await forget(operatorId);
      const stranger = withKeys(randomBytes(32));
      await assert.rejects(
        resealSecondFactors(stranger),
        new RegExp(`second factor of ${username} .*operator reset ${username}\\.$`),
      );
      await valueOf(resetOperator(stranger, systemCall, { username }));
      assert.equal(await resealSecondFactors(stranger), 0);
      await others.restore();
    });

    /** Removes the secrets of other tests' operators. */
    const forget = async (operatorId: string) => {
      const rows = await desk.core.db.read
        .selectFrom("operators")
        .select(["id", "totp_secret", "totp_pending"])
        .where("id", "<>", operatorId)
        .execute();
      const put = (isThere: boolean) =>
        desk.core.db.write(async (tx) => {
          for (const { id, ...secrets } of rows) {
            const row = isThere ? secrets : { totp_secret: null, totp_pending: null };
            await tx.updateTable("operators").set(row).where("id", "=", id).execute();
          }
          return ok();
        });
      await put(false);
      return { restore: () => put(true) };
    };
  });
});
