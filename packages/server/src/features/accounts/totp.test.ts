import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { giveContact } from "#test/contacts.ts";
import { testClient } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { stepMs } from "#test/second-factor.ts";
import {
  customerPassword,
  openSecondFactorCustomers,
  type SecondFactorCustomers,
} from "#test/second-factor-customers.ts";
import { totpCode } from "#test/totp.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import { beginTotp } from "./begin-totp.ts";
import { changePassword } from "./change-password.ts";
import { confirmTotp } from "./confirm-totp.ts";
import { recoverAccount } from "./recover-account.ts";
import { removeTotp } from "./remove-totp.ts";

const newPassword = "another long pass phrase";

forEachEngine((engine) => {
  describe("a customer's second factor", () => {
    let customers: SecondFactorCustomers;
    before(async () => {
      customers = await openSecondFactorCustomers(engine);
    });
    after(() => customers.opened.dispose());

    test("takes effect with the first confirmed code, ends other sessions and tells the contact", async () => {
      const { core, clock, signIn } = customers;
      const { username, call, session, accountId } = await customers.newCustomer();
      await giveContact(core, username, "ada@example.com");
      const other = await valueOf(signIn(username));
      assert.equal(await codeOf(confirmTotp(core, call, session, "123456")), "conflict");
      const { secret, otpauthUri } = await valueOf(beginTotp(core, call, session));
      assert.match(otpauthUri, new RegExp(`^otpauth://totp/Ironlease:${username}\\?.*${secret}`));
      const { totp_pending: pending } = await customers.stored(accountId);
      assert.match(pending ?? "", /^sealed:1:/);
      assert.equal(await codeOf(signIn(username, "123456")), "ok", "nothing is confirmed yet");
      const wrong = confirmTotp(core, call, session, totpCode(secret, clock.now() - 10 * stepMs));
      assert.equal(await codeOf(wrong), "invalid_credentials");

      const code = totpCode(secret, clock.now());
      const { recoveryCodes } = await valueOf(confirmTotp(core, call, session, code));
      assert.equal(new Set(recoveryCodes).size, 10);
      assert.deepEqual(await customers.stored(accountId), {
        totp_secret: pending,
        totp_pending: null,
      });
      const hashes = await core.db.read
        .selectFrom("second_factor_codes")
        .select("code_hash")
        .where("account_id", "=", accountId)
        .execute();
      assert.equal(hashes.length, 10);
      assert.ok(!recoveryCodes.some((each) => JSON.stringify(hashes).includes(each)));

      await assert.rejects(customers.sessionOf(other.sessionToken));
      assert.equal(await codeOf(signIn(username)), "second_factor_required");
      assert.equal(await codeOf(signIn(username, code)), "invalid_credentials", "used already");
      assert.equal(await codeOf(beginTotp(core, call, session)), "conflict");
      await valueOf(signIn(username, recoveryCodes[0]));
      await valueOf(removeTotp(core, call, session));
      // Two instances at one time of the clock, so the ids do not tell the order.
      assert.deepEqual((await customers.actionsOn(accountId)).toSorted(), [
        ...["account.begin_totp", "account.confirm_totp", "account.refuse_second_factor"],
        ...["account.refuse_second_factor", "account.register", "account.remove_totp"],
        ...["account.use_recovery_code", "session.start", "session.start", "session.start"],
      ]);
      const mails = await core.db.read
        .selectFrom("mails")
        .select("topic")
        .where("account_id", "=", accountId)
        .where("kind", "=", "SECURITY")
        .orderBy("id")
        .execute();
      assert.deepEqual(mails.map(({ topic }) => topic).toSorted(), [
        "second_factor.code_used",
        "second_factor.off",
        "second_factor.on",
      ]);
    });

    test("changes only within 15 minutes of signing in", async () => {
      const { core, clock } = customers;
      const { username, call, session, codeNow } = await customers.withSecondFactor();
      const fresh = await customers.newCustomer();
      const { secret } = await valueOf(beginTotp(core, fresh.call, fresh.session));
      clock.advance(15 * 60_000);
      const code = totpCode(secret, clock.now());
      for (const refused of [
        await beginTotp(core, fresh.call, fresh.session),
        await confirmTotp(core, fresh.call, fresh.session, code),
        await removeTotp(core, call, session),
      ]) {
        assert.ok(!refused.ok && refused.refusal.code === "conflict");
        assert.match(refused.refusal.message ?? "", /^Sign out and in again/);
      }
      const { sessionToken } = await valueOf(customers.signIn(username, codeNow()));
      const recent = await customers.sessionOf(sessionToken);
      assert.equal(await codeOf(removeTotp(core, call, recent)), "ok");
    });

    test("once removed, the password is enough, and neither its codes nor a second removal work", async () => {
      const { core, signIn } = customers;
      const { username, call, session, accountId, recoveryCodes } =
        await customers.withSecondFactor();
      await valueOf(removeTotp(core, call, session));
      assert.deepEqual(await customers.stored(accountId), {
        totp_secret: null,
        totp_pending: null,
      });
      const again = await removeTotp(core, call, session);
      assert.ok(!again.ok && again.refusal.code === "not_found");
      assert.equal(await codeOf(signIn(username)), "ok");

      const { secret } = await valueOf(beginTotp(core, call, session));
      const code = totpCode(secret, customers.clock.now());
      await valueOf(confirmTotp(core, call, session, code));
      assert.equal(await codeOf(signIn(username, recoveryCodes[0])), "invalid_credentials");
    });

    test("a password change keeps it, and a recovery removes it", async () => {
      const { core, signIn } = customers;
      const { username, call, accountId, recoveryCode, codeNow, recoveryCodes } =
        await customers.withSecondFactor();
      const change = { username, currentPassword: customerPassword, newPassword };
      await valueOf(changePassword(core, call, change));
      const password = newPassword;
      assert.equal(
        await codeOf(signIn(username, undefined, { password })),
        "second_factor_required",
      );
      assert.equal(await codeOf(signIn(username, codeNow(), { password })), "ok");

      await valueOf(recoverAccount(core, testClient, { username, recoveryCode, newPassword }));
      assert.equal(await codeOf(signIn(username, undefined, { password })), "ok");
      const { session } = await signedIn(username, password);
      const { secret } = await valueOf(beginTotp(core, call, session));
      const code = totpCode(secret, customers.clock.now());
      await valueOf(confirmTotp(core, call, session, code));
      const old = signIn(username, recoveryCodes[0], { password });
      assert.equal(await codeOf(old), "invalid_credentials");
      const audited = await core.db.read
        .selectFrom("audit")
        .select("detail")
        .where("action", "=", "account.recover")
        .where("subject", "=", accountId)
        .executeTakeFirstOrThrow();
      assert.equal(audited.detail, '{"secondFactor":"removed"}');
    });

    const signedIn = async (username: string, password: string) => {
      const { sessionToken } = await valueOf(customers.signIn(username, undefined, { password }));
      return { session: await customers.sessionOf(sessionToken) };
    };
  });
});
