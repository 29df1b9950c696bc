import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { skipWithout } from "#test/components.ts";
import { runIronleased, startIronleased, temporaryFolder, type Daemon } from "#test/daemon.ts";
import type { Send } from "#test/https-client.ts";
import { sharedLitecoinChain, type LitecoinChain } from "#test/litecoin-chain.ts";
import { customerOf, password } from "#test/service.ts";
import { settlementFile } from "#test/settlement-file.ts";

describe("a settlement file", { skip: await skipWithout("litecoind") }, () => {
  let chain: LitecoinChain;
  let daemon: Daemon;
  let env: { readonly IRONLEASE_DATA: string } & Record<string, string>;

  before(async () => {
    chain = await sharedLitecoinChain();
    env = {
      IRONLEASE_DATA: temporaryFolder(),
      IRONLEASE_SETTLEMENT: settlementFile(chain),
      IRONLEASE_SETTLEMENT_EVERY: "1s",
    };
    daemon = await startIronleased("preview", env);
  });
  after(() => daemon.stop());

  test("lets a customer deposit real regtest coins, which are credited once they have their confirmations", async () => {
    const send = await register(daemon, "alice");
    const requested = await whenAvailable(() =>
      send("POST", "/api/v1/deposit-addresses", {
        body: { asset: "LTC" },
        headers: { "idempotency-key": "the-first-address" },
      }),
    );
    assert.equal(requested.status, 201, requested.text);
    const { address, network, mode, confirmationsRequired } = requested.json;
    assert.match(address, /^rltc1q/);
    assert.deepEqual([network, mode, confirmationsRequired], ["litecoin-regtest", "TEST", 2]);

    const { transactionId } = await chain.pay(address, "1.5");
    const depositsOf = async () => (await send("GET", "/api/v1/deposits")).json.deposits;
    const seen = await until(depositsOf, (deposits) => deposits.length === 1);
    assert.deepEqual(
      [seen[0].state, seen[0].confirmations, seen[0].transactionId],
      ["CONFIRMING", 0, transactionId],
    );
    await chain.mine(2);
    const credited = await until(depositsOf, ([deposit]) => deposit.state === "CREDITED");
    assert.deepEqual([credited[0].usd, credited[0].amount], [120, "1.50000000"]);
    assert.equal((await send("GET", "/api/v1/me")).json.balanceUsd, 120);
  });

  test("is checked by doctor, node and rates included", async () => {
    const { stdout } = await runIronleased(["doctor"], env);
    assert.match(stdout, /ok {3}settlement: TEST: litecoin-regtest/);
    assert.match(stdout, /ok {3}litecoin-regtest: height \d+, node /);
    assert.match(stdout, /ok {3}rate of LTC: 80\.00 USD from fixed/);
  });

  test("with an unreachable node, doctor reports it and no address is issued", async () => {
    const data = temporaryFolder();
    const settlement = settlementFile(chain, { rpcUrl: "http://127.0.0.1:1" });
    const away = { IRONLEASE_DATA: data, IRONLEASE_SETTLEMENT: settlement };
    const { stdout, code } = await runIronleased(["doctor"], away);
    assert.match(stdout, /BAD {2}litecoin-regtest: /);
    assert.equal(code, 1);
    const other = await startIronleased("preview", away);
    try {
      const send = await register(other, "bob");
      const refused = await send("POST", "/api/v1/deposit-addresses", {
        body: { asset: "LTC" },
        headers: { "idempotency-key": "no-node-no-address" },
      });
      assert.deepEqual([refused.status, refused.json.error.code], [503, "settlement_unavailable"]);
    } finally {
      await other.stop();
    }
  });

  test("with a mistake stops the start, names the line and leaves no database", async () => {
    const data = join(temporaryFolder(), "data");
    const settlement = settlementFile(chain, { birthHeight: "genesis" });
    const wrong = { IRONLEASE_DATA: data, IRONLEASE_SETTLEMENT: settlement };
    const { code, stdout, stderr } = await runIronleased(["preview"], wrong);
    assert.notEqual(code, 0);
    assert.match(
      stdout + stderr,
      /settlement\.json:\d+: chains\.0\.birthHeight must be a block height/,
    );
    assert.ok(!existsSync(data));
  });
});

async function register(daemon: Daemon, username: string): Promise<Send> {
  const body = { username, password };
  const registered = await daemon.send("POST", "/api/v1/auth/register", { body });
  return customerOf(daemon.send, registered, username).send;
}

/** Addresses are refused until the first scan has reached the tip. */
function whenAvailable(request: () => ReturnType<Send>): ReturnType<Send> {
  return until(request, ({ status }) => status !== 503);
}

/** Polls until the value is as wanted. The test's own time limit ends an endless wait. */
async function until<T>(read: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isWanted(value)) return value;
    await delay(100);
  }
}
