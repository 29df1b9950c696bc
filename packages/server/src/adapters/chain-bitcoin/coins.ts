import type { Asset } from "#ports/settlement.ts";

export type CoinKind = "bitcoin" | "litecoin";

export type CoinNetwork = "mainnet" | "testnet" | "signet" | "regtest";

/** What distinguishes one chain of the Bitcoin family from the others. */
export interface CoinChain {
  /** As the node's getblockchaininfo spells it. */
  readonly chain: string;
  readonly genesisHash: string;
  /** The human-readable part of native segwit addresses. */
  readonly prefix: string;
  /** The first byte of older addresses. */
  readonly versions: AddressVersions;
}

interface AddressVersions {
  readonly keyHash: number;
  readonly scriptHash: readonly number[];
}

export interface Coin {
  readonly asset: Asset;
  /** Version bytes of extended public keys for native segwit accounts, as wallets export them. */
  readonly keyVersions: Readonly<Record<"main" | "test", readonly number[]>>;
  readonly chains: Readonly<Record<CoinNetwork, CoinChain | undefined>>;
  /** Nodes do not relay smaller outputs. Smaller change is left to the miners. */
  readonly dustUnits: bigint;
}

const xpub = 0x0488b21e;
const zpub = 0x04b24746;
const tpub = 0x043587cf;
const vpub = 0x045f1cf6;
const ltub = 0x019da462;
const ttub = 0x0436f6e1;

const testVersions: AddressVersions = { keyHash: 0x6f, scriptHash: [0xc4] };
const litecoinTestVersions: AddressVersions = { keyHash: 0x6f, scriptHash: [0x3a, 0xc4] };

export const coins: Readonly<Record<CoinKind, Coin>> = {
  bitcoin: {
    asset: "BTC",
    dustUnits: 1_000n,
    keyVersions: { main: [xpub, zpub], test: [tpub, vpub] },
    chains: {
      mainnet: {
        chain: "main",
        genesisHash: "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
        prefix: "bc",
        versions: { keyHash: 0x00, scriptHash: [0x05] },
      },
      testnet: {
        chain: "test",
        genesisHash: "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
        prefix: "tb",
        versions: testVersions,
      },
      signet: {
        chain: "signet",
        genesisHash: "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6",
        prefix: "tb",
        versions: testVersions,
      },
      regtest: {
        chain: "regtest",
        genesisHash: "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
        prefix: "bcrt",
        versions: testVersions,
      },
    },
  },
  litecoin: {
    asset: "LTC",
    dustUnits: 10_000n,
    // Litecoin Core itself writes xpub and tpub.
    keyVersions: { main: [xpub, zpub, ltub], test: [tpub, vpub, ttub] },
    chains: {
      mainnet: {
        chain: "main",
        genesisHash: "12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2",
        prefix: "ltc",
        versions: { keyHash: 0x30, scriptHash: [0x32, 0x05] },
      },
      testnet: {
        chain: "test",
        genesisHash: "4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0",
        prefix: "tltc",
        versions: litecoinTestVersions,
      },
      signet: undefined,
      regtest: {
        chain: "regtest",
        genesisHash: "530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9",
        prefix: "rltc",
        versions: litecoinTestVersions,
      },
    },
  },
};
