import { contracts, sharedAnvilChain, type AnvilChain } from "#test/anvil-chain.ts";
import { balanceSlot, payingAddress, signEvm, spendNonce, tamperedEvm } from "#test/evm-signer.ts";
import { coinAmount } from "#server/kernel/coin-amount.ts";
import type { ChainKind } from "./chain-kind.ts";
import { ether, ethereum, tether } from "./ethereum.ts";
import type { PayoutKind } from "./payout-kind.ts";

const weiPerEther = 10n ** 18n;
const tokenContracts = { USDC: contracts.Usdc, USDT: contracts.Usdt } as const;
type Token = keyof typeof tokenContracts;

/** USDC, with its fees in ether. */
export const ethereumPayouts = tokenPayouts(ethereum, "USDC");
export const tetherPayouts = tokenPayouts(tether, "USDT");
export const etherPayouts: PayoutKind = {
  ...payoutsOf(ether, "200.00"),
  fund: async (_, usd) => {
    const chain = await sharedAnvilChain();
    await chain.mine();
    // A coin, which is an ether, costs 100 USD. Fees take a small part of one.
    await setEther(chain, (BigInt(usd + 1) * weiPerEther) / 100n);
  },
  received: async (_, address) => {
    const { node } = await sharedAnvilChain();
    return coinAmount(BigInt(await node.rpc<string>("eth_getBalance", [address, "latest"])), 18);
  },
};

function tokenPayouts(kind: ChainKind, token: Token): PayoutKind {
  const contract = tokenContracts[token];
  return {
    ...payoutsOf(kind, "0.50"),
    fund: async (_, usd) => {
      const chain = await sharedAnvilChain();
      // Nothing of an earlier test is left in the pool.
      await chain.mine();
      await setEther(chain, weiPerEther);
      const slot = await balanceSlot(chain, payingAddress);
      await chain.node.rpc("anvil_setStorageAt", [contract, slot, word(BigInt(usd) * 1_000_000n)]);
      await chain.mine();
    },
    received: async (_, address) => {
      const chain = await sharedAnvilChain();
      const balance = [contract, await balanceSlot(chain, address), "latest"];
      return coinAmount(BigInt(await chain.node.rpc<string>("eth_getStorageAt", balance)), 6);
    },
  };
}

function payoutsOf(kind: ChainKind, otherRate: string) {
  return {
    kind,
    batches: false,
    isFeeExact: false,
    pinsCoins: true,
    otherRate,
    unknownId: `0x${"ab".repeat(32)}`,
    evidence: async (transactionId) => transactionId,
    sign: async (unsigned) => signEvm(unsigned),
    tampered: async (unsigned, foreignAddress) => tamperedEvm(unsigned, foreignAddress),
    spendElsewhere: async (_, unsigned) => spendNonce(await sharedAnvilChain(), unsigned),
  } satisfies Partial<PayoutKind>;
}

async function setEther({ node }: AnvilChain, wei: bigint): Promise<void> {
  await node.rpc("anvil_setBalance", [payingAddress, `0x${wei.toString(16)}`]);
}

function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
