import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { countingPasswords } from "#test/counting-passwords.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { customerOf, startTestService, type TestService } from "#test/service.ts";

const path = "/api/v1/auth/login";

forEachEngine((engine) => {
  describe("sign-in", () => {
    const passwords = countingPasswords();
    let service: TestService;
    before(async () => {
      service = await startTestService(engine, {
        passwords,
        settings: {
          IRONLEASE_TRUST_PROXY: "127.0.0.1",
          IRONLEASE_LIMIT_SIGN_IN_ADDRESS: "500/15m",
        },
      });
    });
    after(() => service.close());

    const signIn = (username: string, password: string, from?: string) =>
      service.send("POST", path, {
        body: { username, password },
        headers: from === undefined ? {} : { "x-forwarded-for": from },
      });

    test("200 returns the username and the CSRF token of a new session", async () => {
      const { username, password } = await service.register();
      const answer = await signIn(username.toUpperCase(), password);
      assert.equal(answer.status, 200);
      assert.deepEqual(Object.keys(answer.json), ["username", "csrfToken"]);
      assert.equal(answer.json.username, username);
      assert.equal(
        (await customerOf(service.send, answer, username).send("GET", "/api/v1/me")).status,
        200,
      );
    });

    test("ends the session that came with the request", async () => {
      const ada = await service.register();
      const { username, password } = ada;
      const answer = await ada.send("POST", path, { body: { username, password } });
      assert.equal(answer.status, 200);
      assert.equal(codeOf(await ada.send("GET", "/api/v1/me")), "authentication_required");
    });

    test("a wrong password and an unknown user get the same body and the same hashing work", async () => {
      const { username } = await service.register();
      const before = passwords.verified;
      const wrong = await signIn(username, "wrong");
      assert.equal(passwords.verified, before + 1);
      const unknown = await signIn("nobody-at-all", "wrong");
      assert.equal(passwords.verified, before + 2);
      assert.equal(wrong.status, 401);
      assert.equal(unknown.status, 401);
      assert.equal(codeOf(wrong), "invalid_credentials");
      delete wrong.json.error.requestId;
      delete unknown.json.error.requestId;
      assert.deepEqual(wrong.json, unknown.json);
    });

    test("100 concurrent wrong sign-ins with a limit of 5: exactly 5 are tried", async () => {
      const { username } = await service.register();
      const before = passwords.verified;
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => signIn(username, "wrong")),
      );
      assert.equal(passwords.verified - before, 5);
      assert.equal(answers.filter((answer) => answer.status === 401).length, 5);
      const refused = answers.filter((answer) => answer.status === 429);
      assert.equal(refused.length, 95);
      for (const answer of refused) {
        assert.equal(codeOf(answer), "rate_limited");
        assert.equal(answer.headers["retry-after"], "900");
        assert.equal(answer.headers["ratelimit-policy"], '"signInPerAddressAndUsername";q=5;w=900');
        assert.equal(answer.headers["ratelimit"], '"signInPerAddressAndUsername";r=0;t=900');
      }
    });

    test("the limit ends with its window, and not before", async () => {
      const { username, password } = await service.register();
      for (let failures = 0; failures < 5; failures += 1) await signIn(username, "wrong");
      service.clock.advance(899_000);
      const early = await signIn(username, password);
      assert.equal(early.status, 429);
      assert.equal(early.headers["retry-after"], "1");
      service.clock.advance(1_000);
      assert.equal((await signIn(username, password)).status, 200);
    });

    test("a clock that was set back does not extend the limit", async () => {
      const { username, password } = await service.register();
      for (let failures = 0; failures < 5; failures += 1) await signIn(username, "wrong");
      service.clock.advance(-86_400_000);
      assert.equal((await signIn(username, password)).status, 200);
      service.clock.advance(86_400_000);
    });

    test("only failures count: 20 consecutive correct sign-ins succeed", async () => {
      const { username, password } = await service.register();
      for (let count = 0; count < 20; count += 1) {
        assert.equal((await signIn(username, password)).status, 200);
      }
    });

    test("20 concurrent correct sign-ins of one user all succeed", async () => {
      const { username, password } = await service.register();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => signIn(username, password)),
      );
      assert.deepEqual(
        answers.map(({ status }) => status),
        answers.map(() => 200),
      );
    });

    test("failures from one address do not lock out the owner at another", async () => {
      const { username, password } = await service.register();
      for (let count = 0; count < 8; count += 1) await signIn(username, "wrong", "203.0.113.9");
      assert.equal((await signIn(username, "wrong", "203.0.113.9")).status, 429);
      assert.equal((await signIn(username, password, "198.51.100.1")).status, 200);
    });

    test("IPv6 counts per /64, and a mapped IPv4 address as IPv4", async () => {
      const { username } = await service.register();
      for (let count = 1; count <= 5; count += 1)
        await signIn(username, "wrong", `2001:db8:0:1::${count}`);
      assert.equal((await signIn(username, "wrong", "2001:db8:0:1:ffff::1")).status, 429);
      assert.equal((await signIn(username, "wrong", "2001:db8:0:2::1")).status, 401);
      for (let count = 1; count <= 5; count += 1) await signIn(username, "wrong", "192.0.2.7");
      assert.equal((await signIn(username, "wrong", "::ffff:192.0.2.7")).status, 429);
    });

    test("X-Forwarded-For entries that a client adds before the proxy's own are ignored", async () => {
      const { username } = await service.register();
      for (let count = 1; count <= 5; count += 1) {
        await signIn(username, "wrong", `10.9.9.${count}, 198.51.100.77`);
      }
      assert.equal((await signIn(username, "wrong", "10.9.9.99, 198.51.100.77")).status, 429);
    });
  });

  test("the 31st failure from one address is refused for any username", async () => {
    const service = await startTestService(engine);
    try {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          service.send("POST", path, { body: { username: `guess${index}`, password: "wrong" } }),
        ),
      );
      assert.equal(answers.filter((answer) => answer.status === 401).length, 30);
      assert.equal(answers.filter((answer) => answer.status === 429).length, 10);
    } finally {
      await service.close();
    }
  });

  test("X-Forwarded-For is ignored without a configured proxy", async () => {
    const service = await startTestService(engine);
    try {
      const { username } = await service.register();
      const guess = (index: number) =>
        service.send("POST", path, {
          body: { username, password: "wrong" },
          headers: { "x-forwarded-for": `203.0.113.${index}` },
        });
      for (let index = 0; index < 5; index += 1) await guess(index);
      assert.equal((await guess(99)).status, 429);
    } finally {
      await service.close();
    }
  });
});
