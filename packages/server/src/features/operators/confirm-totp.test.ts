import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { testClient } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { openSecondFactorDesk, stepMs, type SecondFactorDesk } from "#test/second-factor.ts";
import { totpCode } from "#test/totp.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import { authenticateOperator } from "./authenticate-operator.ts";
import { beginTotp } from "./begin-totp.ts";
import { confirmTotp } from "./confirm-totp.ts";

forEachEngine((engine) => {
  describe("setting up the second factor", () => {
    let desk: SecondFactorDesk;
    before(async () => {
      desk = await openSecondFactorDesk(engine);
    });
    after(() => desk.opened.dispose());

    test("takes effect with the first confirmed code: after it, signing in requires a code", async () => {
      const { core, clock } = desk;
      const { username, operatorId, session } = await desk.newOperator();
      assert.equal(
        await codeOf(confirmTotp(core, { operator: session, client: testClient }, "123456")),
        "conflict",
      );
      const first = await valueOf(beginTotp(core, { operator: session, client: testClient }));
      const { secret, otpauthUri } = await valueOf(
        beginTotp(core, { operator: session, client: testClient }),
      );
      assert.match(otpauthUri, new RegExp(`^otpauth://totp/Ironlease:${username}\\?.*${secret}`));
      assert.equal(await codeOf(desk.signIn(username)), "ok", "nothing is confirmed yet");
      const confirm = (code: string) =>
        codeOf(confirmTotp(core, { operator: session, client: testClient }, code));
      assert.equal(await confirm(totpCode(first.secret, clock.now())), "invalid_credentials");
      assert.equal(await confirm("２８７０８２"), "invalid_credentials");
      const good = totpCode(secret, clock.now());
      assert.equal(await confirm(`${good.slice(0, 3)} ${good.slice(3)}`), "ok");

      assert.equal(await codeOf(desk.signIn(username)), "second_factor_required");
      assert.equal(
        await codeOf(desk.signIn(username, good)),
        "invalid_credentials",
        "the code was used already",
      );
      clock.advance(stepMs);
      assert.equal(await codeOf(desk.signIn(username, totpCode(secret, clock.now()))), "ok");
      assert.deepEqual(await desk.actionsOn(operatorId), [
        ...["sign_in", "begin_totp", "begin_totp", "sign_in"],
        ...["refuse_second_factor", "refuse_second_factor", "confirm_totp"],
        ...["refuse_second_factor", "sign_in"],
      ]);
    });

    test("returns ten different recovery codes and stores only their hashes", async () => {
      const { operatorId, recoveryCodes } = await desk.withSecondFactor();
      assert.equal(new Set(recoveryCodes).size, 10);
      const stored = await desk.core.db.read
        .selectFrom("operator_recovery_codes")
        .select("code_hash")
        .where("operator_id", "=", operatorId)
        .execute();
      assert.equal(stored.length, 10);
      const kept = JSON.stringify(stored);
      for (const code of recoveryCodes) {
        assert.match(code, /^(?:[0-9A-Z]{5}-){4}[0-9A-Z]{5}$/);
        assert.ok(!kept.includes(code) && !kept.includes(code.replaceAll("-", "")));
      }
    });

    test("is a conflict that says what to do if a second factor exists", async () => {
      const { session, username, codeNow } = await desk.withSecondFactor();
      const begun = await beginTotp(desk.core, { operator: session, client: testClient });
      assert.ok(!begun.ok && begun.refusal.code === "conflict");
      assert.match(begun.refusal.message ?? "", new RegExp(`operator reset ${username}$`));
      const confirmed = confirmTotp(
        desk.core,
        { operator: session, client: testClient },
        codeNow(),
      );
      assert.equal(await codeOf(confirmed), "conflict");
    });

    test("can begin only within 15 minutes of signing in", async () => {
      const { session, username } = await desk.newOperator();
      desk.clock.advance(15 * 60_000);
      const begun = await beginTotp(desk.core, { operator: session, client: testClient });
      assert.ok(!begun.ok && begun.refusal.code === "conflict");
      assert.match(begun.refusal.message ?? "", /^Sign out and in again/);
      const { sessionToken } = await valueOf(desk.signIn(username));
      const anew = (await authenticateOperator(desk.core, sessionToken)) ?? assert.fail();
      assert.equal(
        await codeOf(beginTotp(desk.core, { operator: anew, client: testClient })),
        "ok",
      );
    });

    test("ends every other session", async () => {
      const { core, clock } = desk;
      const { username } = await desk.newOperator();
      const before = await valueOf(desk.signIn(username));
      const own = await valueOf(desk.signIn(username));
      const session = (await authenticateOperator(core, own.sessionToken)) ?? assert.fail();
      const { secret } = await valueOf(beginTotp(core, { operator: session, client: testClient }));
      await valueOf(
        confirmTotp(core, { operator: session, client: testClient }, totpCode(secret, clock.now())),
      );
      assert.equal(await authenticateOperator(core, before.sessionToken), undefined);
      assert.equal((await authenticateOperator(core, own.sessionToken))?.secondFactor, "on");
    });

    test("returns the recovery codes to exactly one of six concurrent confirmations", async () => {
      const { core, clock } = desk;
      const { session } = await desk.newOperator();
      const { secret } = await valueOf(beginTotp(core, { operator: session, client: testClient }));
      const codes = await Promise.all(
        Array.from({ length: 6 }, () =>
          codeOf(
            confirmTotp(
              core,
              { operator: session, client: testClient },
              totpCode(secret, clock.now()),
            ),
          ),
        ),
      );
      assert.deepEqual(codes.toSorted(), [...Array<string>(5).fill("conflict"), "ok"]);
    });
  });
});
