import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { testEvmAccount } from "#test/anvil-chain.ts";
import { testAccountKey } from "#test/litecoin-watch.ts";
import { houseKeys } from "#test/monero-keys.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { ConfigError, readConfig } from "#config.ts";
import { createSettlement } from "./create-settlement.ts";
import { readSettlementFile } from "./settlement-file.ts";

const chain = {
  kind: "litecoin",
  network: "regtest",
  rpcUrl: "http://127.0.0.1:19443",
  rpcCookieFile: "cookie",
  accountPublicKey: testAccountKey,
  birthHeight: 0,
};
const ethereum = {
  kind: "ethereum",
  chainId: 31_337,
  rpcUrl: "http://127.0.0.1:8545",
  accountPublicKey: testEvmAccount.publicExtendedKey,
  birthHeight: 0,
};
const contract = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const rates = { source: "operator", maxAgeSeconds: 86_400 };

function write(document: unknown): string {
  const file = join(temporaryFolder(), "settlement.json");
  writeFileSync(
    file,
    typeof document === "string" ? document : JSON.stringify(document, undefined, 1),
  );
  return file;
}

/** The problems of a file, without its path. */
function problemsOf(document: unknown): readonly string[] {
  const file = write(document);
  try {
    readSettlementFile(file);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems.map((problem) => problem.replace(`${file}:`, ""));
  }
}

test("a file names its chains and rates, and paths are relative to it", () => {
  const file = write({ $schema: "./settlement.schema.json", chains: [chain], rates });
  const plan = readSettlementFile(file);
  assert.equal(plan.mode, "TEST");
  assert.deepEqual(plan.chains, [{ ...chain, rpcCookieFile: join(file, "..", "cookie") }]);
  assert.deepEqual(plan.rates, rates);
});

test("every problem names its line and what to do", () => {
  const withChain = (more: object) => ({ chains: [{ ...chain, ...more }], rates });
  const { rpcCookieFile: _, ...withoutCookie } = chain;
  const cases: [unknown, ...string[]][] = [
    ["{", "1: invalid JSON: expected a comma or }, found the end of the file"],
    [{ chains: [chain] }, "1: rates is required"],
    [{ chains: [], rates }, "2: chains must list 1 to 10 chains"],
    [
      withChain({ kind: "dogecoin" }),
      "4: chains.0.kind must be one of bitcoin, litecoin, monero, ethereum",
    ],
    [withChain({ walletPassword: "x" }), "10: chains.0.walletPassword is not a known field"],
    [withChain({ birthHeight: -1 }), "9: chains.0.birthHeight must be a block height"],
    [
      withChain({ confirmations: [{ fromUsd: 10, needed: 1 }] }),
      "10: chains.0.confirmations must start at 0 USD and rise",
    ],
    [
      { chains: [withoutCookie], rates },
      "6: chains.0.rpcUrl needs rpcCookieFile, or rpcUser together with rpcPasswordFile",
    ],
    [
      withChain({ rpcUser: "u" }),
      "10: chains.0.rpcUser needs rpcCookieFile, or rpcUser together with rpcPasswordFile",
    ],
    [
      { chains: [chain, { ...chain, network: "mainnet" }], rates },
      "12: chains.1.kind must be unique: another chain is litecoin already",
      "13: chains.1.network must be mainnet on every chain, or on none",
    ],
    [
      { chains: [chain], rates: { source: "guess" } },
      "13: rates.source must be one of fixed, operator, http",
    ],
    [
      { chains: [chain], rates: { source: "fixed", usd: { LTC: "1e5" } } },
      "15: rates.usd.LTC must be a decimal string such as 80.00",
    ],
    [
      { chains: [{ ...chain, network: "mainnet" }], rates: { source: "fixed", usd: {} } },
      "13: rates.source must not be fixed on mainnet",
    ],
  ];
  assert.deepEqual(
    cases.map(([document]) => problemsOf(document)),
    cases.map(([, ...problems]) => problems),
  );
});

test("problems of an Ethereum chain name their line too", () => {
  const withChain = (more: object) => ({ chains: [{ ...ethereum, ...more }], rates });
  const usdc = { asset: "USDC", contract };
  const cases: [unknown, ...string[]][] = [
    [withChain({ confirmations: "finalized", tokens: [usdc] })],
    [withChain({ network: "regtest" }), "9: chains.0.network is not a known field"],
    [withChain({ chainId: "1" }), "5: chains.0.chainId must be a chain id"],
    [
      withChain({ rpcUser: "u" }),
      "9: chains.0.rpcUser needs rpcUser together with rpcPasswordFile",
    ],
    [
      withChain({ tokens: [{ asset: "ETH", contract: "0x1" }] }),
      "11: chains.0.tokens.0.asset must be one of USDC, USDT",
      "12: chains.0.tokens.0.contract must be the address of a contract",
    ],
    [withChain({ tokens: [usdc, usdc] }), "9: chains.0.tokens must list each token once"],
    [
      { chains: [chain, { ...ethereum, chainId: 1 }], rates },
      "13: chains.1.chainId must be mainnet on every chain, or on none",
    ],
  ];
  assert.deepEqual(
    cases.map(([document]) => problemsOf(document)),
    cases.map(([, ...problems]) => problems),
  );
});

test("an Ethereum chain needs an account's public key, and its own mode", () => {
  const connect = (more: object) => {
    const config = readConfig("serve", {
      IRONLEASE_SETTLEMENT: write({ chains: [{ ...ethereum, ...more }], rates }),
    });
    return createSettlement(config, {} as never).settlement;
  };
  const [chain] = connect({ tokens: [{ asset: "USDT", contract }] })?.chains ?? [];
  assert.ok(chain !== undefined);
  assert.deepEqual([chain.network, ...chain.assets.keys()], ["ethereum-31337", "ETH", "USDT"]);
  assert.deepEqual(chain.assets.get("ETH")?.confirmations, [{ fromCents: 0, needed: 12 }]);
  assert.equal(connect({ chainId: 1 })?.mode, "LIVE");
  const { privateExtendedKey } = testEvmAccount;
  const refused: [string, RegExp][] = [
    [privateExtendedKey, /is a private key/],
    [testAccountKey, /is not an xpub/],
    [testEvmAccount.deriveChild(0).publicExtendedKey, /is not at account level/],
  ];
  for (const [accountPublicKey, message] of refused) {
    assert.throws(
      () => connect({ accountPublicKey }),
      (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, message);
        assert.ok(!error.message.includes(accountPublicKey));
        return true;
      },
    );
  }
});

const moneroChain = {
  kind: "monero",
  network: "regtest",
  daemonUrl: "http://127.0.0.1:18081",
  walletRpcUrl: "http://127.0.0.1:18083",
  walletLoginFile: "login",
  address: houseKeys.address,
  viewKeyFile: "view-key",
  birthHeight: 0,
};

test("a Monero chain has fields of its own, and every problem names its line", () => {
  const withChain = (more: object) => ({ chains: [{ ...moneroChain, ...more }], rates });
  const { viewKeyFile: _, ...withoutKey } = moneroChain;
  const cases: [unknown, ...string[]][] = [
    [withChain({})],
    [
      withChain({ network: "signet" }),
      "5: chains.0.network must be one of mainnet, stagenet, testnet, regtest",
    ],
    [withChain({ rpcUrl: "http://x" }), "12: chains.0.rpcUrl is not a known field"],
    [{ chains: [withoutKey], rates }, "3: chains.0.viewKeyFile is required"],
    [
      withChain({ address: "4" }),
      "9: chains.0.address must be the primary address of a wallet, 95 characters",
    ],
  ];
  assert.deepEqual(
    cases.map(([document]) => problemsOf(document)),
    cases.map(([, ...problems]) => problems),
  );
});

test("a Monero chain reads its view key at the start, and never repeats it", () => {
  const file = write({ chains: [chain, moneroChain], rates: { source: "fixed", usd: {} } });
  const config = readConfig("preview", { IRONLEASE_SETTLEMENT: file });
  const connect = () => createSettlement(config, {} as never).settlement;
  assert.throws(connect, /settlement\.json:11: chains\.1 is invalid: ENOENT/);
  writeFileSync(join(file, "..", "view-key"), "00".repeat(32));
  assert.throws(connect, /chains\.1 is invalid: The view key does not belong to the address/);
  writeFileSync(join(file, "..", "view-key"), `${houseKeys.viewKey}\n`);
  const settlement = connect();
  assert.equal(settlement?.mode, "TEST");
  const monero = settlement.chains.find(({ network }) => network === "monero-regtest");
  assert.deepEqual(monero?.assets.get("XMR"), {
    decimals: 12,
    confirmations: [{ fromCents: 0, needed: 10 }],
  });
});

test("a missing file is a problem of the setting", () => {
  assert.throws(
    () => readSettlementFile("/nowhere/settlement.json"),
    /^ConfigError: IRONLEASE_SETTLEMENT names .*, which does not exist/,
  );
});

test("a key of another network is refused with the line of its chain, and never repeated", () => {
  const file = write({ chains: [{ ...chain, network: "mainnet" }], rates });
  const config = readConfig("serve", { IRONLEASE_SETTLEMENT: file });
  const connect = () => createSettlement(config, {} as never);
  assert.throws(connect, (error: unknown) => {
    assert.ok(error instanceof ConfigError);
    assert.match(error.message, /settlement\.json:3: chains\.0 is invalid: /);
    assert.ok(!error.message.includes(testAccountKey));
    return true;
  });
});

test("the setting is a path, simulated or none, and preview refuses mainnet", () => {
  const settlementOf = (value: string) =>
    readConfig("preview", { IRONLEASE_SETTLEMENT: value }).settlement;
  assert.deepEqual(settlementOf("./s.json"), { file: "./s.json" });
  assert.equal(settlementOf("simulated"), "simulated");
  assert.throws(() => settlementOf("simulatd"), /must be simulated, none or the path/);
  const file = write({ chains: [{ ...chain, network: "mainnet" }], rates });
  const config = readConfig("preview", { IRONLEASE_SETTLEMENT: file });
  assert.throws(() => createSettlement(config, {} as never), /which only serve allows/);
});
