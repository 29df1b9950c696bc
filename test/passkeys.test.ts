import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { limits } from "@ironlease/contract";
import { sweep } from "#server/features/housekeeping/sweep.ts";
import { Authenticator, type Fault } from "#test/authenticator.ts";
import { giveContact } from "#test/contacts.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { passkeyClient } from "#test/passkeys.ts";
import { bodyWithoutRequestId } from "#test/rental-service.ts";
import { cookiesOf, customerOf, startTestService, type TestService } from "#test/service.ts";

forEachEngine((engine) => {
  describe("passkeys of customers", () => {
    let service: TestService;
    let passkeys: ReturnType<typeof passkeyClient>;
    before(async () => {
      service = await startTestService(engine, {
        settings: {
          IRONLEASE_LIMIT_SIGN_IN_ADDRESS: "30/15m",
          IRONLEASE_LIMIT_REGISTRATION: "100/1h",
          IRONLEASE_TRUST_PROXY: "127.0.0.1",
        },
      });
      passkeys = passkeyClient(service.url, "/api/v1");
    });
    after(() => service.close());

    /** Every test from its own address, so that failures of one do not limit the others. */
    let addresses = 0;
    const elsewhere = () => {
      const from = `192.0.2.${(addresses += 1)}`;
      const send: typeof service.send = (method, path, options = {}) =>
        service.send(method, path, {
          ...options,
          headers: { "x-forwarded-for": from, ...options.headers },
        });
      return send;
    };
    const accountOf = async (username: string) => {
      const { id } = await service.core.db.read
        .selectFrom("accounts")
        .select("id")
        .where("username", "=", username)
        .executeTakeFirstOrThrow();
      return id;
    };
    const audited = async (subject: string) => {
      const rows = await service.core.db.read
        .selectFrom("audit")
        .select(["action", "detail"])
        .where("subject", "=", subject)
        .orderBy("id")
        .execute();
      return rows.map(({ action, detail }) => `${action} ${detail}`);
    };

    test("a passkey is added with a name, signs in by itself and is listed with its last use", async () => {
      const ada = await service.register();
      const options = await passkeys.begin(ada.send);
      assert.deepEqual(options.rp, { id: "localhost", name: "Ironlease" });
      assert.equal(options.user.name, ada.username);
      assert.deepEqual(options.excludeCredentials, []);
      assert.equal(options.authenticatorSelection.userVerification, "required");
      const phone = new Authenticator(passkeys.origin);
      const added = await passkeys.finish(ada.send, phone.create(options), "Phone");
      assert.equal(added.status, 201);
      const { id, createdAt } = added.json;
      assert.match(id, /^pas_/);
      assert.deepEqual(added.json, { id, name: "Phone", createdAt, lastUsedAt: null });
      const [existing] = (await passkeys.begin(ada.send)).excludeCredentials;
      assert.deepEqual(existing, {
        id: phone.credentialId,
        type: "public-key",
        transports: ["internal"],
      });

      service.clock.advance(1000);
      const send = elsewhere();
      const answer = await passkeys.signIn(send, phone, {}, { cookie: ada.cookie });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(Object.keys(answer.json), ["username", "csrfToken"]);
      assert.match(cookiesOf(answer).join("; "), /^__Host-svc-session=.+; __Host-svc-csrf=.+$/);
      const session = customerOf(send, answer, ada.username);
      assert.equal((await session.send("GET", "/api/v1/me")).json.username, ada.username);
      // The session that came with the request has ended.
      assert.equal(codeOf(await ada.send("GET", "/api/v1/me")), "authentication_required");
      const lastUsedAt = new Date(service.clock.now()).toISOString();
      assert.deepEqual(await passkeys.list(session.send), [
        { id, name: "Phone", createdAt, lastUsedAt },
      ]);
      const actions = await audited(await accountOf(ada.username));
      assert.ok(actions.includes(`session.start {"passkeyId":"${id}"}`));
    });

    test("ES256, EdDSA and RS256 keys work, and an authenticator may count or not", async () => {
      const ada = await service.register();
      const send = elsewhere();
      for (const algorithm of ["ES256", "EdDSA", "RS256"] as const) {
        const key = new Authenticator(passkeys.origin, algorithm);
        await passkeys.add(ada.send, key);
        for (key.counter of [0, 0, 7, 8]) {
          assert.equal(
            (await passkeys.signIn(send, key)).status,
            200,
            `${algorithm} ${key.counter}`,
          );
        }
      }
    });

    test("every wrong answer to a sign-in is the same 401, starts no session and uses up the challenge", async () => {
      const ada = await service.register();
      const bob = await service.register();
      const send = elsewhere();
      const { authenticator } = await passkeys.add(ada.send);
      const stranger = new Authenticator(passkeys.origin);
      stranger.create(await passkeys.begin(ada.send));
      const unknown = await passkeys.signIn(send, stranger);
      assert.equal(codeOf(unknown), "invalid_credentials");
      const bobsHandle = Buffer.from(await accountOf(bob.username)).toString("base64url");
      const faults: readonly Fault[] = [
        { origin: "https://evil.example" },
        { origin: service.operatorUrl },
        { rpId: "evil.example" },
        { type: "webauthn.create" },
        { isVerified: false },
        { signature: Buffer.alloc(70) },
        { userHandle: bobsHandle },
      ];
      for (const fault of faults) {
        const options = await passkeys.beginSignIn(send);
        const answer = await passkeys.finishSignIn(send, authenticator.get(options, fault));
        assert.equal(answer.status, 401, JSON.stringify(fault));
        assert.equal(answer.headers["set-cookie"], undefined);
        assert.deepEqual(bodyWithoutRequestId(answer), bodyWithoutRequestId(unknown));
        const again = await passkeys.finishSignIn(send, authenticator.get(options));
        assert.equal(codeOf(again), "invalid_credentials", "the challenge was used");
      }
      const refusals = await audited(await accountOf(ada.username));
      assert.equal(refusals.filter((entry) => entry === "session.refuse {}").length, faults.length);
      assert.equal((await passkeys.signIn(send, authenticator)).status, 200);
    });

    test("a challenge works once, for five minutes, and only for what it was issued for", async () => {
      const ada = await service.register();
      const bob = await service.register();
      const send = elsewhere();
      const { authenticator } = await passkeys.add(ada.send);
      const used = authenticator.get(await passkeys.beginSignIn(send));
      assert.equal((await passkeys.finishSignIn(send, used)).status, 200);
      const refused = async (credential: object) =>
        assert.equal(codeOf(await passkeys.finishSignIn(send, credential)), "invalid_credentials");
      await refused(used);
      const options = await passkeys.beginSignIn(send);
      const { challenge } = await passkeys.begin(ada.send);
      await refused(authenticator.get(options, { challenge }));
      await refused(authenticator.get(options, { challenge: "invented" }));
      service.clock.advance(5 * 60_000);
      await refused(authenticator.get(options));

      const signInOptions = await passkeys.beginSignIn(send);
      const next = new Authenticator(passkeys.origin);
      const add = async (fault: Fault) =>
        codeOf(await passkeys.finish(ada.send, next.create(await passkeys.begin(ada.send), fault)));
      assert.equal(await add({ challenge: signInOptions.challenge }), "invalid_credentials");
      const { challenge: bobs } = await passkeys.begin(bob.send);
      assert.equal(await add({ challenge: bobs }), "invalid_credentials");
      assert.equal((await passkeys.list(ada.send)).length, 1);

      service.clock.advance(5 * 60_000);
      const { passkeyChallenges } = await sweep(service.core);
      assert.ok(passkeyChallenges >= 2);
      const left = await service.core.db.read
        .selectFrom("passkey_challenges")
        .selectAll()
        .execute();
      assert.deepEqual(left, []);
    });

    test("a passkey that is not this site's, not verified or attested by a certificate is not added", async () => {
      const ada = await service.register();
      const refused = async (fault: Fault) => {
        const key = new Authenticator(passkeys.origin);
        const answer = await passkeys.finish(
          ada.send,
          key.create(await passkeys.begin(ada.send), fault),
        );
        assert.equal(codeOf(answer), "invalid_credentials", JSON.stringify(fault));
      };
      await refused({ origin: "https://evil.example" });
      await refused({ rpId: "evil.example" });
      await refused({ type: "webauthn.get" });
      await refused({ isVerified: false });
      const attStmt = new Map([["x5c", [Buffer.from("a certificate")]]]);
      await refused({ attestation: { fmt: "packed", attStmt } });
      assert.deepEqual(await passkeys.list(ada.send), []);
      const credential = { id: "!", rawId: "!", type: "password", response: {} };
      assert.equal(codeOf(await passkeys.finish(ada.send, credential)), "validation_failed");
      assert.equal(
        codeOf(await passkeys.finishSignIn(elsewhere(), credential)),
        "validation_failed",
      );
    });

    test("a counter that goes back is refused and recorded as such", async () => {
      const ada = await service.register();
      const send = elsewhere();
      const { authenticator } = await passkeys.add(ada.send, undefined, { counter: 5 });
      for (const counter of [5, 4, 0]) {
        const answer = await passkeys.signIn(send, authenticator, { counter });
        assert.equal(codeOf(answer), "invalid_credentials", `${counter}`);
      }
      assert.equal((await passkeys.signIn(send, authenticator, { counter: 6 })).status, 200);
      const entries = await audited(await accountOf(ada.username));
      assert.equal(entries.filter((entry) => entry === "passkey.refuse_counter {}").length, 3);
      const { entries: activity } = (await ada.send("GET", "/api/v1/activity")).json as {
        readonly entries: readonly { readonly action: string }[];
      };
      assert.ok(activity.some(({ action }) => action === "passkey.refuse_counter"));
    });

    test("adding and removing is mailed and audited, and a removed passkey cannot sign in", async () => {
      const ada = await service.register();
      const bob = await service.register();
      const accountId = await accountOf(ada.username);
      await giveContact(service.core, ada.username, "ada@example.com");
      const { id, authenticator } = await passkeys.add(ada.send);
      assert.equal(codeOf(await passkeys.remove(bob.send, id)), "not_found");
      assert.equal((await passkeys.remove(ada.send, id)).status, 204);
      assert.equal(codeOf(await passkeys.remove(ada.send, id)), "not_found");
      assert.deepEqual(await passkeys.list(ada.send), []);
      const refused = await passkeys.signIn(elsewhere(), authenticator);
      assert.equal(codeOf(refused), "invalid_credentials");
      assert.deepEqual(await audited(id), ["passkey.add {}", "passkey.remove {}"]);
      const mails = await service.core.db.read
        .selectFrom("mails")
        .select("topic")
        .where("account_id", "=", accountId)
        .orderBy("id")
        .execute();
      assert.deepEqual(
        mails.map(({ topic }) => topic),
        ["passkey.added", "passkey.removed"],
      );
    });

    test("adding and removing need a sign-in within the last 15 minutes", async () => {
      const ada = await service.register();
      const { id } = await passkeys.add(ada.send);
      service.clock.advance(15 * 60_000);
      const begun = await ada.send("POST", "/api/v1/auth/passkeys/begin");
      assert.equal(codeOf(begun), "conflict");
      assert.equal(codeOf(await passkeys.remove(ada.send, id)), "conflict");
      assert.equal((await passkeys.list(ada.send)).length, 1);
    });

    test("recovering the account removes its passkeys", async () => {
      const ada = await service.register();
      const { authenticator } = await passkeys.add(ada.send);
      const { username, recoveryCode } = ada;
      const body = { username, recoveryCode, newPassword: "a brand-new pass phrase" };
      const recovered = await service.send("POST", "/api/v1/auth/recover", { body });
      assert.equal(recovered.status, 200);
      const answer = await passkeys.signIn(elsewhere(), authenticator);
      assert.equal(codeOf(answer), "invalid_credentials");
    });

    test("an account has a limited number of passkeys, and a credential belongs to one account", async () => {
      const ada = await service.register();
      const bob = await service.register();
      const { authenticator } = await passkeys.add(ada.send);
      const copied = await passkeys.finish(
        bob.send,
        authenticator.create(await passkeys.begin(bob.send)),
      );
      assert.equal(codeOf(copied), "conflict");
      const last = await passkeys.begin(ada.send);
      const key = { public_key: "", counter: 0, transports: "[]", backed_up: 0, created_at: 0 };
      const account_id = await accountOf(ada.username);
      await service.core.db.write(async (tx) => {
        for (let count = 1; count < limits.passkeysPerOwner; count += 1) {
          const row = { id: `pas_${count}${account_id}`, name: "filler", account_id, ...key };
          await tx
            .insertInto("passkeys")
            .values({ ...row, credential_id: row.id })
            .execute();
        }
        return { ok: true, value: undefined };
      });
      const beyond = await passkeys.finish(
        ada.send,
        new Authenticator(passkeys.origin).create(last),
      );
      assert.equal(codeOf(beyond), "limit_reached");
      const begun = await ada.send("POST", "/api/v1/auth/passkeys/begin");
      assert.equal(codeOf(begun), "limit_reached");
    });

    test("30 sign-ins that are begun and not finished from one address are the limit", async () => {
      const ada = await service.register();
      const { authenticator } = await passkeys.add(ada.send);
      const send = elsewhere();
      // A sign-in that succeeds does not count.
      assert.equal((await passkeys.signIn(send, authenticator)).status, 200);
      for (let count = 0; count < 30; count += 1) await passkeys.beginSignIn(send);
      const refused = await send("POST", "/api/v1/auth/passkey-login/begin");
      assert.equal(codeOf(refused), "rate_limited");
      assert.equal((await passkeys.signIn(elsewhere(), authenticator)).status, 200);
    });
  });
});
