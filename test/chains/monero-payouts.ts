import { coinAmount } from "#server/kernel/coin-amount.ts";
import { sharedMoneroChain } from "#test/monero-chain.ts";
import { houseKeys } from "#test/monero-keys.ts";
import {
  offlineSigner,
  signTransfer,
  spendElsewhere,
  tamperedTransfers,
} from "#test/monero-signer.ts";
import { monero } from "./monero.ts";
import type { PayoutKind } from "./payout-kind.ts";

const decimals = 12;
const spendableAfter = 10;
let funded: Promise<void> | undefined;

export const moneroPayouts: PayoutKind = {
  kind: monero,
  batches: true,
  isFeeExact: true,
  pinsCoins: false,
  otherRate: "200.00",
  unknownId: `${"ab".repeat(32)}:01${"0".repeat(62)}`,
  // Change cannot be spent for ten blocks, so the tests need many coins.
  fund: () => (funded ??= fundHouse()),
  sign: async (unsigned) => signTransfer(await sharedMoneroChain(), unsigned),
  tampered: async (unsigned, foreignAddress) =>
    tamperedTransfers(await sharedMoneroChain(), unsigned, foreignAddress),
  spendElsewhere: async () => {
    const chain = await sharedMoneroChain();
    const [pooled = ""] = await chain.pool();
    return spendElsewhere(chain, pooled);
  },
  evidence: async (transactionId) => {
    const { payer } = await sharedMoneroChain();
    const { tx_key: key } = await payer.rpc<{ tx_key: string }>("get_tx_key", {
      txid: transactionId,
    });
    return `${transactionId}:${key}`;
  },
  received: async (_, address) => {
    const { payer } = await sharedMoneroChain();
    await payer.rpc("refresh");
    const { in: transfers = [] } = await payer.rpc<{ in?: { address: string; amount: number }[] }>(
      "get_transfers",
      { in: true },
    );
    const units = transfers
      .filter((transfer) => transfer.address === address)
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    return coinAmount(units, decimals);
  },
};

async function fundHouse(): Promise<void> {
  const chain = await sharedMoneroChain();
  const payments = Array.from({ length: 15 }, () => ({ address: houseKeys.address, coins: "2" }));
  await Promise.all([offlineSigner(), chain.pay(payments).then(() => chain.mine(spendableAfter))]);
}
