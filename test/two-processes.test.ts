import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer, type Send } from "#test/https-client.ts";
import { runIronleased, startIronleased, temporaryFolder, type Daemon } from "#test/daemon.ts";
import { customerOf, password } from "#test/service.ts";
import { createTestDatabase } from "#test/test-database.ts";

const order = {
  configId: "metal-s",
  regionId: "fra",
  osId: "debian-13",
  term: "monthly",
  quantity: 1,
};

forEachEngine((engine) => {
  describe("two processes on one database", () => {
    let daemons: readonly Daemon[];
    let env: { readonly IRONLEASE_DATA: string } & Record<string, string>;
    before(async () => {
      env = { IRONLEASE_DATA: temporaryFolder(), IRONLEASE_AUTH_LIMITS: "off" };
      if (engine === "postgres") env["IRONLEASE_DATABASE_URL"] = (await createTestDatabase()).url;
      daemons = [await startIronleased("preview", env), await startIronleased("preview", env)];
    });
    after(() => Promise.all(daemons.map((daemon) => daemon.stop())));

    const daemon = (index: number) => daemons[index % 2] ?? assert.fail();

    /** A customer with this balance, whose session works on both. */
    const customer = async (username: string, usd: number): Promise<(index: number) => Send> => {
      const { send } = daemon(0);
      const registered = await send("POST", "/api/v1/auth/register", {
        body: { username, password },
      });
      const { send: own, cookie, csrfToken } = customerOf(send, registered, username);
      const headers = { "idempotency-key": `deposit-of-${username}` };
      const { json } = await own("POST", "/api/v1/deposit-addresses", {
        body: { asset: "USDT" },
        headers,
      });
      const paid = await runIronleased(["simulate-payment", json.address, String(usd)], env);
      assert.equal(paid.code, 0, paid.stdout);
      return (index) => (method, path, options) =>
        daemon(index).send(method, path, {
          ...options,
          headers: { cookie, "x-csrf-token": csrfToken, ...options?.headers },
        });
    };

    const placeMany = (
      at: (index: number) => Send,
      count: number,
      key: (index: number) => string,
      body = order,
    ) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          at(index)("POST", "/api/v1/orders", { body, headers: { "idempotency-key": key(index) } }),
        ),
      );

    const accepted = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 201);

    test("200 requests to both with one idempotency key create one order and get the same answer", async () => {
      const at = await customer("one-key", 500);
      const answers = await placeMany(at, 200, () => "the-same-key");
      assert.equal(accepted(answers).length, 200);
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
      assert.equal((await at(1)("GET", "/api/v1/me")).json.balanceUsd, 500 - 39);
    });

    test("200 orders on a balance for seven: exactly seven succeed", async () => {
      const at = await customer("seven", 7 * 39 + 38.99);
      const answers = await placeMany(at, 200, (index) => `seven-key-${index}`);
      assert.equal(accepted(answers).length, 7);
      const refused = answers.filter(({ status }) => status !== 201);
      assert.ok(refused.every((answer) => codeOf(answer) === "insufficient_balance"));
      assert.equal((await at(0)("GET", "/api/v1/me")).json.balanceUsd, 38.99);
    });

    test("100 orders for eight free machines: exactly eight succeed", async () => {
      const at = await customer("eight", 90_000);
      const scarce = { ...order, configId: "gpu-l", regionId: "fra" };
      const answers = await placeMany(at, 100, (index) => `eight-key-${index}`, scarce);
      assert.equal(accepted(answers).length, 8);
      const refused = answers.filter(({ status }) => status !== 201);
      assert.ok(refused.every((answer) => codeOf(answer) === "capacity_exhausted"));
    });

    test("a session ended on one process is 401 on the other at once, even under load", async () => {
      const at = await customer("revoked", 1);
      const over = new AbortController();
      const sendUntilDone = async (): Promise<readonly number[]> => {
        const statuses: number[] = [];
        while (!over.signal.aborted) statuses.push((await at(0)("GET", "/api/v1/me")).status);
        return statuses;
      };
      const load = Array.from({ length: 4 }, sendUntilDone);
      try {
        for (let round = 0; round < 10; round += 1) {
          const signedIn = await daemon(round).send("POST", "/api/v1/auth/login", {
            body: { username: "revoked", password },
          });
          const own = (index: number) => customerOf(daemon(index).send, signedIn, "revoked").send;
          assert.equal((await own(0)("GET", "/api/v1/me")).status, 200);
          assert.equal((await own(1)("POST", "/api/v1/auth/logout")).status, 204);
          assert.equal((await own(0)("GET", "/api/v1/me")).status, 401);
        }
      } finally {
        over.abort();
      }
      assert.deepEqual([...new Set((await Promise.all(load)).flat())], [200]);
    });

    test("ironleased verify finds no problem while both are serving", async () => {
      const { code, stdout } = await runIronleased(["verify"], env);
      assert.equal(code, 0, stdout);
    });
  });
});
