import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { contracts, sharedAnvilChain, testEvmAccount, type AnvilChain } from "#test/anvil-chain.ts";
import { skipWithoutAnvil } from "#test/anvil.ts";
import { runIronleased, startIronleased, temporaryFolder, type Daemon } from "#test/daemon.ts";
import type { Send } from "#test/https-client.ts";
import { customerOf, password } from "#test/service.ts";

describe("a settlement file with an Ethereum chain", { skip: await skipWithoutAnvil() }, () => {
  let chain: AnvilChain;
  let daemon: Daemon;
  let env: { readonly IRONLEASE_DATA: string } & Record<string, string>;
  let send: Send;

  before(async () => {
    chain = await sharedAnvilChain();
    env = {
      IRONLEASE_DATA: temporaryFolder(),
      IRONLEASE_SETTLEMENT: settlementFile(chain),
      IRONLEASE_SETTLEMENT_EVERY: "1s",
    };
    daemon = await startIronleased("preview", env);
    const body = { username: "alice", password };
    const registered = await daemon.send("POST", "/api/v1/auth/register", { body });
    ({ send } = customerOf(daemon.send, registered, "alice"));
  });
  after(() => daemon.stop());

  test("credits USDC, tells doctor about the node, and lists what to sweep", async () => {
    const { json: issued } = await until(
      () =>
        send("POST", "/api/v1/deposit-addresses", {
          body: { asset: "USDC" },
          headers: { "idempotency-key": "the-first-address" },
        }),
      ({ status }) => status === 201,
    );
    assert.deepEqual(
      [issued.network, issued.mode, issued.confirmationsRequired],
      ["ethereum-31337", "TEST", 2],
    );
    const { address } = issued;
    await chain.payTokens(contracts.Usdc, { address, units: 12_340_000n });
    await chain.mine(2);
    const [deposit] = await until(
      async () => (await send("GET", "/api/v1/deposits")).json.deposits,
      ([one]) => one?.state === "CREDITED",
    );
    assert.deepEqual([deposit.usd, deposit.amount], [12.34, "12.340000"]);

    const { stdout } = await runIronleased(["doctor"], env);
    assert.match(stdout, /ok {3}settlement: TEST: ethereum-31337/);
    assert.match(stdout, /ok {3}ethereum-31337: height \d+, node anvil/);

    await chain.node.rpc("anvil_setBalance", [address, "0x9"]);
    await chain.mine();
    const list = () => runIronleased(["settlement", "sweep-list"], env);
    // The node is asked about the block that was scanned last.
    const { stdout: csv } = await until(list, (listed) => listed.stdout.includes(",ETH,"));
    const [headings, ether, usdc] = csv.trim().split("\n");
    assert.equal(headings, "network,path,address,asset,units,etherNeeded,unexplainedUnits");
    assert.match(ether ?? "", new RegExp(`^ethereum-31337,0/0,${address},ETH,9,\\d+,9$`));
    assert.match(usdc ?? "", new RegExp(`^ethereum-31337,0/0,${address},USDC,12340000,\\d+,0$`));
  });
});

function settlementFile({ node }: AnvilChain): string {
  const file = join(temporaryFolder(), "settlement.json");
  const entry = {
    kind: "ethereum",
    chainId: 31_337,
    rpcUrl: node.url,
    accountPublicKey: testEvmAccount.publicExtendedKey,
    birthHeight: 0,
    confirmations: [{ fromUsd: 0, needed: 2 }],
    tokens: [{ asset: "USDC", contract: contracts.Usdc }],
  };
  const rates = { source: "fixed", usd: { ETH: "2000", USDC: "1" } };
  writeFileSync(file, JSON.stringify({ chains: [entry], rates }, undefined, 2));
  return file;
}

/** Polls until the value is as wanted. The test's own time limit ends an endless wait. */
async function until<T>(read: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isWanted(value)) return value;
    await delay(100);
  }
}
