import type { Core } from "#server/kernel/core.ts";
import { register } from "#test/bare-core.ts";
import { contracts, startAnvilChain, type AnvilChain } from "#test/anvil-chain.ts";
import { skipWithoutAnvil } from "#test/anvil.ts";
import { addressFor } from "#test/deposits.ts";
import { openEvm } from "#test/evm-watch.ts";
import type { BenchService } from "./support/bench-service.ts";
import { addAddresses, coldScan, pass, timed, times } from "./support/chain-scans.ts";
import { withCore } from "./support/rental.ts";
import { workload } from "./support/workload.ts";

const { scannedBlocks, knownAddresses } = workload;
const outputsPerBlock = 100;
/** Derivation indexes from here on are not used. */
const neverIssued = 1_000_000;

/**
 * Measures scans of a real anvil from a cold cursor, with blocks that pay none of our addresses, against calls that
 * only fetch the same blocks. Also how soon a mined payment is credited.
 */
export async function benchEvmChains({ engine, data, databaseUrl }: BenchService): Promise<void> {
  const skip = await skipWithoutAnvil();
  if (skip !== false) {
    console.log(`${engine} EVM chains: not measured. ${skip}`);
    return;
  }
  const anvil = await startAnvilChain();
  try {
    const birthHeight = await fillBlocks(anvil);
    const confirmations = [{ fromCents: 0, needed: 1 }];
    const chain = openEvm(anvil.node.url, { birthHeight, confirmations });
    await withCore(data, databaseUrl, async (simulated) => {
      const core: Core = { ...simulated, settlement: { mode: "TEST", chains: [chain] } };
      const fetchMs = await timed(() => fetchBlocks(anvil, birthHeight));
      await addAddresses(core, chain);
      const counter = countRequests();
      const scanMs = await coldScan(core, chain).finally(counter.stop);
      const idleMs = await timed(() => pass(core));
      const creditMs = await timeToCredit(core, anvil);
      const perSecond = (scannedBlocks / scanMs) * 1_000;
      console.log(
        `${engine} EVM chains: a scan of ${scannedBlocks} blocks with ${outputsPerBlock} transfers takes ${times(scanMs, fetchMs)} the time of fetching them with ${knownAddresses} addresses (${perSecond.toFixed(0)} blocks a second, ${(counter.requests() / scannedBlocks).toFixed(2)} requests a block); a pass without news takes ${idleMs.toFixed(0)} ms, from a mined payment to its credit ${creditMs.toFixed(0)} ms`,
      );
    });
  } finally {
    await anvil.node.stop();
  }
}

/** Mines blocks with payments to others. Returns the height of the first. */
async function fillBlocks(anvil: AnvilChain): Promise<number> {
  const unused = openEvm(anvil.node.url);
  const payments = Array.from({ length: outputsPerBlock }, (_, output) => ({
    address: unused.addressAt(neverIssued + output, "USDC"),
    units: 1n,
  }));
  const birthHeight = (await anvil.height()) + 1;
  for (let block = 0; block < scannedBlocks; block += 1) {
    await anvil.payTokens(contracts.Usdc, ...payments);
    await anvil.mine();
  }
  return birthHeight;
}

async function fetchBlocks({ node }: AnvilChain, from: number): Promise<void> {
  for (let height = from; height < from + scannedBlocks; height += 1) {
    await node.rpc("eth_getBlockByNumber", [`0x${height.toString(16)}`, true]);
  }
}

/** Includes nothing but the pass. The service starts one every few seconds. */
async function timeToCredit(core: Core, anvil: AnvilChain): Promise<number> {
  const { accountId } = await register(core, "evm-payment");
  const address = await addressFor(core, accountId, "USDC");
  await anvil.payTokens(contracts.Usdc, { address, units: 1_000_000n });
  await anvil.mine();
  return timed(() => pass(core));
}

/** Counts the requests of this process until it stops. */
function countRequests() {
  const original = globalThis.fetch;
  let requests = 0;
  globalThis.fetch = (...parameters) => {
    requests += 1;
    return original(...parameters);
  };
  return {
    requests: () => requests,
    stop: () => {
      globalThis.fetch = original;
    },
  };
}
