import { Type, type Static } from "typebox";
import { assets } from "./operations/deposits.ts";
import { words } from "./schemas.ts";

/** The file that `IRONLEASE_SETTLEMENT` names. Secrets are in files that it names, never in it. */

const strict = { additionalProperties: false } as const;

const filePath = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: 4_096,
    description: `Path of the file that holds ${what}. Relative to the settlement file.`,
    message: "must be the path of a file",
  });

const decimal = Type.String({
  pattern: "^\\d{1,15}(?:\\.\\d{1,18})?$",
  message: "must be a decimal string such as 80.00",
});

const url = (what: string) =>
  Type.String({
    pattern: "^https?://[^\\s]+$",
    maxLength: 2_048,
    description: what,
    message: "must be an http or https address",
  });

const confirmations = Type.Array(
  Type.Object(
    {
      fromUsd: Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        message: "must be a whole number of USD",
      }),
      needed: Type.Integer({
        minimum: 1,
        maximum: 10_000,
        message: "must be a whole number from 1 to 10000",
      }),
    },
    strict,
  ),
  {
    minItems: 1,
    maxItems: 20,
    description: "How many confirmations a payment needs by its value. Starts at 0 USD.",
    message: "must list 1 to 20 steps",
  },
);

const bitcoinKinds = ["bitcoin", "litecoin"] as const;
const moneroKinds = ["monero"] as const;
const ethereumKinds = ["ethereum"] as const;
export const chainKinds = [...bitcoinKinds, ...moneroKinds, ...ethereumKinds] as const;
const bitcoinNetworks = ["mainnet", "testnet", "signet", "regtest"] as const;
const moneroNetworks = ["mainnet", "stagenet", "testnet", "regtest"] as const;
const networkNote = { description: "mainnet is LIVE. Every other network is TEST." };

const rpcLogin = {
  rpcUser: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: "^[^:\\s]+$",
      message: "must be a user name without colons or spaces",
    }),
  ),
  rpcPasswordFile: Type.Optional(filePath("the password of rpcUser")),
};

const birthHeight = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: "The first block that can contain a deposit.",
  message: "must be a block height",
});

/** Bitcoin and Litecoin through the RPC of a full node. */
export const bitcoinChainEntry = Type.Object(
  {
    kind: words(bitcoinKinds),
    network: words(bitcoinNetworks, networkNote),
    rpcUrl: url("The node's RPC, without credentials."),
    rpcCookieFile: Type.Optional(filePath("the node's cookie")),
    ...rpcLogin,
    accountPublicKey: Type.String({
      minLength: 100,
      maxLength: 120,
      description: "The extended public key of the BIP84 account. Deposits are 0/i, change is 1/i.",
      message: "must be an extended public key such as xpub… or tpub…",
    }),
    birthHeight,
    confirmations: Type.Optional(confirmations),
  },
  { ...strict, title: "BitcoinChain" },
);

/** Ether and tokens on Ethereum, or on another chain of its kind. */
export const ethereumChainEntry = Type.Object(
  {
    kind: words(ethereumKinds),
    chainId: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "1 is LIVE. Every other chain is TEST.",
      message: "must be a chain id",
    }),
    rpcUrl: url("The node's RPC, without credentials."),
    ...rpcLogin,
    accountPublicKey: Type.String({
      minLength: 100,
      maxLength: 120,
      description:
        "The extended public key at m/44'/60'/account'. Deposits are 0/i, payouts come from 1/0.",
      message: "must be an extended public key such as xpub…",
    }),
    birthHeight,
    confirmations: Type.Optional(
      Type.Union([confirmations, Type.Literal("finalized")], {
        description: "Steps by value, or finalized: the block must be final.",
      }),
    ),
    tokens: Type.Optional(
      Type.Array(
        Type.Object(
          {
            asset: words(["USDC", "USDT"]),
            contract: Type.String({
              pattern: "^0x[0-9a-fA-F]{40}$",
              message: "must be the address of a contract",
            }),
            codeHash: Type.Optional(
              Type.String({
                pattern: "^0x[0-9a-fA-F]{64}$",
                description: "keccak256 of the contract's code. Another code is refused.",
                message: "must be 0x and 64 hexadecimal digits",
              }),
            ),
          },
          strict,
        ),
        { maxItems: 2, message: "must list each token once" },
      ),
    ),
  },
  { ...strict, title: "EthereumChain" },
);

/** Monero through a daemon and a view-only wallet. */
export const moneroChainEntry = Type.Object(
  {
    kind: words(moneroKinds),
    network: words(moneroNetworks, networkNote),
    daemonUrl: url("The RPC of monerod."),
    walletRpcUrl: url("A monero-wallet-rpc with a wallet folder, for this service alone."),
    walletLoginFile: Type.Optional(filePath("user:password of the wallet, if it has a login")),
    address: Type.String({
      minLength: 95,
      maxLength: 95,
      description: "The primary address of the wallet. Deposits are subaddresses 0/1, 0/2 and on.",
      message: "must be the primary address of a wallet, 95 characters",
    }),
    viewKeyFile: filePath("the secret view key, 64 hexadecimal digits"),
    birthHeight,
    confirmations: Type.Optional(confirmations),
  },
  { ...strict, title: "MoneroChain" },
);

const maxAgeSeconds = Type.Integer({
  minimum: 1,
  maximum: 30 * 86_400,
  description: "A rate older than this is not used.",
  message: "must be a whole number of seconds, at most 30 days",
});

export const rateSources = {
  fixed: Type.Object(
    {
      source: Type.Literal("fixed"),
      usd: Type.Partial(
        Type.Object(Object.fromEntries(assets.map((asset) => [asset, decimal])), strict),
        strict,
      ),
    },
    { ...strict, title: "FixedRates", description: "For TEST chains only." },
  ),
  operator: Type.Object(
    { source: Type.Literal("operator"), maxAgeSeconds: Type.Optional(maxAgeSeconds) },
    { ...strict, title: "OperatorRates", description: "Operators set rates at the desk." },
  ),
  http: Type.Object(
    {
      source: Type.Literal("http"),
      endpoints: Type.Array(
        Type.Object(
          {
            asset: words(assets),
            url: url("An address that answers with JSON."),
            pointer: Type.String({
              maxLength: 1_000,
              pattern: "^(?:/.*)?$",
              description: "JSON Pointer (RFC 6901) of the price.",
              message: "must be a JSON Pointer such as /data/price",
            }),
          },
          strict,
        ),
        { minItems: 2, maxItems: 60, message: "must list 2 to 60 endpoints" },
      ),
      quorum: Type.Optional(
        Type.Integer({ minimum: 2, maximum: 10, message: "must be a whole number from 2 to 10" }),
      ),
      spreadPercent: Type.Optional(
        Type.Number({ exclusiveMinimum: 0, maximum: 50, message: "must be above 0, at most 50" }),
      ),
      maxAgeSeconds: Type.Optional(maxAgeSeconds),
    },
    { ...strict, title: "HttpRates", description: "The median of several sources." },
  ),
} as const;

export const rateSourceNames = ["fixed", "operator", "http"] as const;

export const settlementFile = Type.Object(
  {
    chains: Type.Array(Type.Union([bitcoinChainEntry, moneroChainEntry, ethereumChainEntry]), {
      minItems: 1,
      maxItems: 10,
      description: "One chain of each kind, all LIVE or all TEST.",
      message: "must list 1 to 10 chains",
    }),
    rates: Type.Union([rateSources.fixed, rateSources.operator, rateSources.http]),
  },
  strict,
);

export type BitcoinChainEntry = Static<typeof bitcoinChainEntry>;
export type EthereumChainEntry = Static<typeof ethereumChainEntry>;
export type MoneroChainEntry = Static<typeof moneroChainEntry>;
export type ChainEntry = BitcoinChainEntry | EthereumChainEntry | MoneroChainEntry;
export type RatesEntry =
  | Static<typeof rateSources.fixed>
  | Static<typeof rateSources.operator>
  | Static<typeof rateSources.http>;
export interface SettlementFile {
  readonly chains: readonly ChainEntry[];
  readonly rates: RatesEntry;
}
