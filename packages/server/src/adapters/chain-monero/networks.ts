import type { AddressNetwork } from "#ports/settlement.ts";

export type MoneroNetwork = "mainnet" | "stagenet" | "testnet" | "regtest";

/** What distinguishes one Monero network from the others. */
export interface NetworkTerms {
  /** As the daemon's get_info spells it. */
  readonly nettype: string;
  readonly genesisHash: string;
  /** The first bytes of primary addresses, of those with a payment id, and of subaddresses. */
  readonly primaryByte: number;
  readonly integratedByte: number;
  readonly subaddressByte: number;
  readonly addressNetwork: AddressNetwork;
}

const mainnet: NetworkTerms = {
  nettype: "mainnet",
  genesisHash: "418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3",
  primaryByte: 18,
  integratedByte: 19,
  subaddressByte: 42,
  addressNetwork: "main",
};

export const networks: Readonly<Record<MoneroNetwork, NetworkTerms>> = {
  mainnet,
  stagenet: {
    nettype: "stagenet",
    genesisHash: "76ee3cc98646292206cd3e86f74d88b4dcc1d937088645e9b0cbca84b7ce74eb",
    primaryByte: 24,
    integratedByte: 25,
    subaddressByte: 36,
    addressNetwork: "test",
  },
  testnet: {
    nettype: "testnet",
    genesisHash: "48ca7cd3c8de5b6a4d53d2861fbdaedca141553559f9be9520068053cda8430b",
    primaryByte: 53,
    integratedByte: 54,
    subaddressByte: 63,
    addressNetwork: "test",
  },
  // Regtest has the first block and the addresses of mainnet.
  regtest: { ...mainnet, nettype: "fakechain" },
};
