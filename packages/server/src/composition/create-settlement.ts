import { createBitcoinChain } from "#adapters/chain-bitcoin/bitcoin-chain.ts";
import { createEvmChain } from "#adapters/chain-evm/evm-chain.ts";
import { createMoneroChain } from "#adapters/chain-monero/monero-chain.ts";
import { createFixedRates } from "#adapters/rates-fixed/fixed-rates.ts";
import { createHttpRates } from "#adapters/rates-http/http-rates.ts";
import { createSimulatedRates } from "#adapters/settlement-simulated/simulated-rates.ts";
import { createSimulatedSettlement } from "#adapters/settlement-simulated/simulated-settlement.ts";
import { readFileSync } from "node:fs";
import type { BitcoinChainEntry, EthereumChainEntry, MoneroChainEntry } from "@ironlease/contract";
import { ConfigError, type Config } from "#config.ts";
import { createOperatorRates } from "#kernel/operator-rates.ts";
import type { Clock } from "#ports/clock.ts";
import type { Db } from "#ports/db.ts";
import type { Random } from "#ports/random.ts";
import type { Chain, ConfirmationTier, Rates, Settlement } from "#ports/settlement.ts";
import { readSettlementFile, type SettlementPlan } from "./settlement-file.ts";

/** Payments and prices. Both are undefined when no provider is connected. */
export interface ConnectedSettlement {
  readonly settlement: Settlement | undefined;
  readonly rates: Rates | undefined;
  /** How long a rate that an operator sets may be valid. Undefined when operators set no rates. */
  readonly operatorRateMs?: number | undefined;
}

interface Ports {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
}

const defaultAge = { operator: 86_400, http: 600 };
const defaultConfirmations = { bitcoin: 2, litecoin: 6, monero: 10, ethereum: 12 };

/** Connects what `IRONLEASE_SETTLEMENT` names. Calls no node. Throws a ConfigError for a bad file. */
export function createSettlement(config: Config, ports: Ports): ConnectedSettlement {
  const { settlement: chosen, mode, settlementLagMs } = config;
  // Commands work on the database and need no node.
  if (chosen === "none" || (mode === "command" && typeof chosen === "object")) {
    return { settlement: undefined, rates: undefined };
  }
  if (chosen === "simulated") {
    const settlement = createSimulatedSettlement(ports.db, ports.random);
    return { settlement, rates: createSimulatedRates(ports.clock) };
  }
  const plan = readSettlementFile(chosen.file);
  if (mode === "preview" && plan.mode === "LIVE") {
    throw new ConfigError([
      "IRONLEASE_SETTLEMENT names a file with mainnet chains, which only serve allows. Use a test network.",
    ]);
  }
  const chains = createChains(plan, settlementLagMs);
  return { settlement: { mode: plan.mode, chains }, ...createRates(plan, ports) };
}

export function createChains(plan: SettlementPlan, maxLagMs: number): readonly Chain[] {
  return plan.chains.map((_, index) => createChain(plan, index, maxLagMs));
}

function createChain(plan: SettlementPlan, index: number, maxLagMs: number): Chain {
  const entry = plan.chains[index];
  if (entry === undefined) throw new RangeError(`there is no chain ${index}`);
  try {
    if (entry.kind === "ethereum") return createEthereum(entry, maxLagMs);
    if (entry.kind === "monero") return createMonero(entry, maxLagMs);
    return createBitcoin(entry, maxLagMs);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw plan.faultAt(["chains", String(index)], `is invalid: ${reason}`);
  }
}

function createBitcoin(entry: BitcoinChainEntry, maxLagMs: number): Chain {
  const { rpcCookieFile, rpcUser = "", rpcPasswordFile = "", ...chain } = entry;
  const credentials =
    rpcCookieFile === undefined
      ? { user: rpcUser, passwordFile: rpcPasswordFile }
      : { cookieFile: rpcCookieFile };
  return createBitcoinChain({
    ...chain,
    credentials,
    confirmations: tiersOf(entry.confirmations, defaultConfirmations[entry.kind]),
    maxLagMs,
  });
}

function createEthereum(entry: EthereumChainEntry, maxLagMs: number): Chain {
  const { rpcUser: user, rpcPasswordFile: passwordFile, confirmations, ...chain } = entry;
  return createEvmChain({
    ...chain,
    credentials:
      user === undefined || passwordFile === undefined ? undefined : { user, passwordFile },
    confirmations:
      confirmations === "finalized"
        ? confirmations
        : tiersOf(confirmations, defaultConfirmations.ethereum),
    tokens: entry.tokens ?? [],
    maxLagMs,
  });
}

/** Addresses are derived with the view key, so it is read at the start. */
function createMonero({ viewKeyFile, ...entry }: MoneroChainEntry, maxLagMs: number): Chain {
  const { kind: _, confirmations, ...chain } = entry;
  return createMoneroChain({
    ...chain,
    walletLoginFile: entry.walletLoginFile,
    viewKey: readFileSync(viewKeyFile, "utf8").trim(),
    confirmations: tiersOf(confirmations, defaultConfirmations.monero),
    maxLagMs,
  });
}

function tiersOf(
  tiers: BitcoinChainEntry["confirmations"],
  needed: number,
): readonly ConfirmationTier[] {
  const given = tiers ?? [{ fromUsd: 0, needed }];
  return given.map(({ fromUsd, needed }) => ({ fromCents: fromUsd * 100, needed }));
}

export function createRates(
  plan: SettlementPlan,
  { db, clock }: { readonly db: Pick<Db, "read">; readonly clock: Clock },
): Pick<ConnectedSettlement, "rates" | "operatorRateMs"> {
  const { rates, mode } = plan;
  try {
    switch (rates.source) {
      case "fixed":
        return { rates: createFixedRates(rates.usd, mode, clock) };
      case "operator": {
        const maxAgeMs = (rates.maxAgeSeconds ?? defaultAge.operator) * 1_000;
        return { rates: createOperatorRates(db, maxAgeMs), operatorRateMs: maxAgeMs };
      }
      case "http": {
        const { endpoints, quorum = 2, spreadPercent = 2 } = rates;
        const maxAgeMs = (rates.maxAgeSeconds ?? defaultAge.http) * 1_000;
        return { rates: createHttpRates({ endpoints, quorum, spreadPercent, maxAgeMs, clock }) };
      }
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw plan.faultAt(["rates"], `is invalid: ${reason}`);
  }
}
