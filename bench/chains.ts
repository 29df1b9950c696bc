import { createDepositAddress } from "#server/features/deposits/create-deposit-address.ts";
import type { Core } from "#server/kernel/core.ts";
import { register, testClient } from "#test/bare-core.ts";
import { skipWithout } from "#test/components.ts";
import { startLitecoinChain, type LitecoinChain } from "#test/litecoin-chain.ts";
import { openLitecoin } from "#test/litecoin-watch.ts";
import { freshKey, intentOf, valueOf } from "#test/use-cases.ts";
import type { BenchService } from "./support/bench-service.ts";
import { addAddresses, coldScan, pass, timed, times } from "./support/chain-scans.ts";
import { withCore } from "./support/rental.ts";
import { workload } from "./support/workload.ts";

const { scannedBlocks, knownAddresses, issuedAddresses } = workload;
const outputsPerBlock = 100;
/** Derivation indexes from here on are not used. */
const neverIssued = 1_000_000;

/**
 * Measures scans of a real litecoind from a cold cursor, with blocks that pay none of our addresses, against calls
 * that only fetch the same blocks. Addresses are compared with those of the simulated provider.
 */
export async function benchChains({ engine, data, databaseUrl }: BenchService): Promise<void> {
  const skip = await skipWithout("litecoind");
  if (skip !== false) {
    console.log(`${engine} chains: not measured. ${skip}`);
    return;
  }
  const litecoin = await startLitecoinChain();
  try {
    const birthHeight = await fillBlocks(litecoin);
    const chain = openLitecoin(litecoin.node, { birthHeight });
    await withCore(data, databaseUrl, async (simulated) => {
      const core: Core = { ...simulated, settlement: { mode: "TEST", chains: [chain] } };
      const fetchMs = await timed(() => fetchBlocks(litecoin, birthHeight));
      const fewMs = await coldScan(core, chain);
      await addAddresses(core, chain);
      const manyMs = await coldScan(core, chain);
      const idleMs = await timed(() => pass(core));
      const perSecond = (scannedBlocks / manyMs) * 1_000;
      console.log(
        `${engine} chains: a scan of ${scannedBlocks} blocks with ${outputsPerBlock} outputs takes ${times(manyMs, fetchMs)} the time of fetching them with ${knownAddresses} addresses, ${times(fewMs, fetchMs)} with none (${perSecond.toFixed(0)} blocks a second, ${(manyMs / scannedBlocks).toFixed(1)} ms a block); a pass without news takes ${idleMs.toFixed(0)} ms`,
      );
      const realMs = await issueAddresses(core);
      const simulatedMs = await issueAddresses(simulated);
      console.log(
        `${engine} chains: an address takes ${times(realMs, simulatedMs)} the time of a simulated one (${(realMs / issuedAddresses).toFixed(1)} to ${(simulatedMs / issuedAddresses).toFixed(1)} ms)`,
      );
    });
  } finally {
    await litecoin.node.stop();
  }
}

/** Mines blocks with payments to others. Returns the height of the first. */
async function fillBlocks(chain: LitecoinChain): Promise<number> {
  const { node } = chain;
  const amounts: Record<string, string> = {};
  // Not the miner's own: a wallet with that many coins takes seconds to choose some.
  const unused = openLitecoin(node);
  for (let output = 0; output < outputsPerBlock; output += 1) {
    amounts[unused.addressAt(neverIssued + output, "LTC")] = "0.001";
  }
  const birthHeight = (await node.rpc<number>("getblockcount")) + 1;
  for (let block = 0; block < scannedBlocks; block += 1) {
    await node.walletRpc("miner", "sendmany", ["", amounts]);
    await chain.mine();
  }
  return birthHeight;
}

async function fetchBlocks({ node }: LitecoinChain, from: number): Promise<void> {
  for (let height = from; height < from + scannedBlocks; height += 1) {
    await node.rpc("getblock", [await node.rpc("getblockhash", [height]), 2]);
  }
}

async function issueAddresses(core: Core): Promise<number> {
  const { accountId } = await register(core, `chains-${core.settlement?.mode.toLowerCase()}`);
  return timed(async () => {
    for (let address = 0; address < issuedAddresses; address += 1) {
      const intent = intentOf("createDepositAddress", freshKey());
      const call = { accountId, client: testClient, intent };
      await valueOf(createDepositAddress(core, call, { asset: "LTC" }));
    }
  });
}
