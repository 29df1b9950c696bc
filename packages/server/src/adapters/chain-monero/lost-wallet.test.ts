import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, test } from "node:test";
import { readyComponent, skipWithout } from "#test/components.ts";
import { startMoneroChain, type MoneroChain } from "#test/monero-chain.ts";
import { houseKeys } from "#test/monero-keys.ts";
import { openMonero } from "#test/monero-adapter.ts";
import { startMoneroWallet } from "#test/monero-wallet.ts";
import type { Chain, ChainCursor } from "#ports/settlement.ts";
import { walletFileOf } from "./view-wallet.ts";

const skip = await skipWithout("monero");
const { signal } = new AbortController();
const file = walletFileOf(houseKeys.address);

async function scanAll(chain: Chain, issued: readonly string[]) {
  const own = {
    among: async (addresses: readonly string[]) =>
      new Set(addresses.filter((address) => issued.includes(address))),
  };
  let cursor: ChainCursor | undefined;
  for (;;) {
    const scan = await chain.scan(cursor, own, signal);
    ({ cursor } = scan);
    if (!scan.hasMore)
      return scan.outputs.map(({ address, amountUnits }) => [address, amountUnits]);
  }
}

/** As the guide restores a wallet. */
async function restore({ daemon }: MoneroChain, folder: string, birthHeight: number) {
  const { programs, environment } = await readyComponent("monero");
  const parameters = [
    ...["--daemon-address", new URL(daemon.url).host, "--trusted-daemon"],
    ...["--daemon-ssl", "disabled", "--subaddress-lookahead", "1:1000"],
    ...["--generate-from-view-key", join(folder, file), "--password", ""],
    ...["--restore-height", String(birthHeight), "--log-file", join(folder, "..", "cli.log")],
    ...["--mnemonic-language", "English", "--command", "refresh"],
  ];
  const cli = spawn(programs["monero-wallet-cli"] ?? "", parameters, {
    cwd: folder,
    env: { ...environment, HOME: folder },
  });
  cli.stdin.end(`${houseKeys.address}\n${houseKeys.viewKey}\n`);
  const [output, errors, [code]] = await Promise.all([
    text(cli.stdout),
    text(cli.stderr),
    once(cli, "close"),
  ]);
  assert.equal(code, 0, output + errors);
}

describe("a lost wallet file", { skip }, () => {
  test("is created again, refused when it may have missed payments, and restored as the guide says", async (t) => {
    const chain = await startMoneroChain();
    t.after(() => chain.stop());
    const server = await startMoneroWallet({ daemonUrl: chain.daemon.url });
    t.after(() => server.stop());
    const birthHeight = await chain.tipHeight();
    const servers = { daemonUrl: chain.daemon.url, walletRpcUrl: server.url };
    const adapter = openMonero(servers, { birthHeight });

    // The service creates the wallet in an empty folder.
    await adapter.health(signal);
    assert.ok((await readdir(server.walletFolder)).includes(`${file}.keys`));
    const near = adapter.addressAt(20, "XMR");
    const far = adapter.addressAt(199, "XMR");
    for (const index of [20, 199]) await adapter.prepareAddress(index, signal);
    await chain.pay([
      { address: near, coins: "0.1" },
      { address: far, coins: "0.2" },
    ]);
    await chain.mine();
    const paid = [
      [near, 100_000_000_000n],
      [far, 200_000_000_000n],
    ];
    const sorted = (rows: readonly unknown[][]) => rows.toSorted(([a]) => (a === near ? -1 : 1));
    assert.deepEqual(sorted(await scanAll(adapter, [near, far])), paid);

    // A new wallet finds payments to its first addresses by itself.
    await server.rpc("close_wallet");
    for (const name of await readdir(server.walletFolder)) {
      await rm(join(server.walletFolder, name), { recursive: true });
    }
    await assert.rejects(scanAll(adapter, [near, adapter.addressAt(240, "XMR")]), {
      name: "SettlementFailed",
      message: /fewer than were issued.*Restore the wallet file/,
    });
    assert.deepEqual(await scanAll(openMonero(servers, { birthHeight }), [near]), [paid[0]]);

    await server.rpc("close_wallet");
    for (const name of await readdir(server.walletFolder)) {
      await rm(join(server.walletFolder, name), { recursive: true });
    }
    await restore(chain, server.walletFolder, birthHeight);
    const restored = openMonero(servers, { birthHeight });
    assert.deepEqual(sorted(await scanAll(restored, [near, far])), paid);
    const last = restored.addressAt(240, "XMR");
    assert.deepEqual(sorted(await scanAll(restored, [near, far, last])), paid);
  });
});
