import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createDepositAddress } from "#server/features/deposits/create-deposit-address.ts";
import type { Core } from "#server/kernel/core.ts";
import { register, testClient } from "#test/bare-core.ts";
import { skipWithout } from "#test/components.ts";
import { startMoneroChain, type MoneroChain } from "#test/monero-chain.ts";
import { openMonero, serversOf } from "#test/monero-adapter.ts";
import { freshKey, intentOf, valueOf } from "#test/use-cases.ts";
import type { BenchService } from "./support/bench-service.ts";
import { addAddresses, coldScan, pass, timed, times } from "./support/chain-scans.ts";
import { withCore } from "./support/rental.ts";
import { workload } from "./support/workload.ts";

const { knownAddresses } = workload;
const payments = 5;

/** Measures scans of a real monerod and wallet from a cold cursor against calls that only fetch the same blocks. */
export async function benchMonero({ engine, data, databaseUrl }: BenchService): Promise<void> {
  const skip = await skipWithout("monero");
  if (skip !== false) {
    console.log(`${engine} monero: not measured. ${skip}`);
    return;
  }
  const monero = await startMoneroChain();
  try {
    const chain = openMonero(serversOf(monero), { confirmations: [{ fromCents: 0, needed: 1 }] });
    const blocks = (await monero.tipHeight()) + 1;
    await withCore(data, databaseUrl, async (simulated) => {
      const core: Core = { ...simulated, settlement: { mode: "TEST", chains: [chain] } };
      const fetchMs = await timed(() => fetchBlocks(monero, blocks));
      await addAddresses(core, chain);
      // The first scan also compares the wallet with the issued addresses.
      await coldScan(core, chain);
      const requests = await countRequests(() => coldScan(core, chain));
      const scanMs = await coldScan(core, chain);
      const idleMs = await timed(() => pass(core));
      console.log(
        `${engine} monero: a scan of ${blocks} blocks takes ${times(scanMs, fetchMs)} the time of fetching them with ${knownAddresses} addresses (${((blocks / scanMs) * 1_000).toFixed(0)} blocks a second, ${(requests / blocks).toFixed(2)} requests a block); a pass without news takes ${idleMs.toFixed(0)} ms`,
      );
      const creditMs = await creditPayments(core, monero);
      console.log(
        `${engine} monero: a mined payment is credited ${creditMs.toFixed(0)} ms after its block, by one pass`,
      );
    });
  } finally {
    await monero.stop();
  }
}

async function fetchBlocks({ daemon }: MoneroChain, count: number): Promise<void> {
  for (let height = 0; height < count; height += 1) await daemon.rpc("get_block", { height });
}

async function countRequests(work: () => Promise<unknown>): Promise<number> {
  let requests = 0;
  const count = () => (requests += 1);
  subscribe("http.client.request.start", count);
  await work();
  unsubscribe("http.client.request.start", count);
  return requests;
}

/** The mean time of a pass that finds and credits one payment. */
async function creditPayments(core: Core, monero: MoneroChain): Promise<number> {
  const { accountId } = await register(core, "monero-payments");
  let totalMs = 0;
  for (let payment = 0; payment < payments; payment += 1) {
    const call = {
      accountId,
      client: testClient,
      intent: intentOf("createDepositAddress", freshKey()),
    };
    const { body } = await valueOf(createDepositAddress(core, call, { asset: "XMR" }));
    await monero.pay([{ address: body.address, coins: "0.1" }]);
    await monero.mine();
    totalMs += await timed(() => pass(core));
    const credited = await core.db.read
      .selectFrom("deposits")
      .select("id")
      .where("address", "=", body.address)
      .where("state", "=", "CREDITED")
      .execute();
    if (credited.length !== 1) throw new Error("The payment is not credited.");
  }
  return totalMs / payments;
}
