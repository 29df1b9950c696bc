import { sharedLitecoinChain } from "#test/litecoin-chain.ts";
import { signPsbt, spendInputs, tamperedPsbts } from "#test/litecoin-signer.ts";
import { litecoin } from "./litecoin.ts";
import type { PayoutKind } from "./payout-kind.ts";

export const litecoinPayouts: PayoutKind = {
  kind: litecoin,
  batches: true,
  isFeeExact: true,
  pinsCoins: true,
  otherRate: "200.00",
  unknownId: "ab".repeat(32),
  fund: async () => {},
  sign: async (unsigned) => signPsbt(unsigned),
  tampered: async (unsigned, foreignAddress) =>
    tamperedPsbts(await sharedLitecoinChain(), unsigned, foreignAddress),
  spendElsewhere: async (_, unsigned) => spendInputs(await sharedLitecoinChain(), unsigned),
  evidence: async (transactionId) => transactionId,
  received: async (_, address) => {
    const { node } = await sharedLitecoinChain();
    const sum = await node.walletRpc<number>("miner", "getreceivedbyaddress", [address]);
    return sum.toFixed(8);
  },
};
