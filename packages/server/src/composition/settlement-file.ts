import { dirname, resolve } from "node:path";
import {
  bitcoinChainEntry,
  chainKinds,
  ethereumChainEntry,
  moneroChainEntry,
  rateSourceNames,
  rateSources,
  type BitcoinChainEntry,
  type ChainEntry,
  type EthereumChainEntry,
  type RatesEntry,
  type SettlementFile,
  type SettlementMode,
} from "@ironlease/contract";
import { Type } from "typebox";
import { ConfigError } from "#config.ts";
import { compileSchemaCheck, type Fault } from "#kernel/field-checks.ts";
import { readSettingsFile } from "./settings-file.ts";

/** Settlement as configured, with absolute paths. */
export interface SettlementPlan {
  readonly mode: SettlementMode;
  readonly chains: readonly ChainEntry[];
  readonly rates: RatesEntry;
  /** Makes an error about a part of the file, which names its line. */
  faultAt(path: readonly string[], message: string): ConfigError;
}

const oneOf = (values: readonly string[]) =>
  Type.Unsafe({ enum: values, message: `must be one of ${values.join(", ")}` });

/** Checked first, so that an entry is then checked against the schema of its own kind. */
const checkOutline = compileSchemaCheck(
  Type.Object(
    {
      chains: Type.Array(Type.Object({ kind: oneOf(chainKinds) }), {
        minItems: 1,
        maxItems: 10,
        message: "must list 1 to 10 chains",
      }),
      rates: Type.Object({ source: oneOf(rateSourceNames) }),
    },
    { additionalProperties: false },
  ),
);
const checkBitcoin = compileSchemaCheck(bitcoinChainEntry);
const checkChain: Readonly<Record<ChainEntry["kind"], typeof checkBitcoin>> = {
  bitcoin: checkBitcoin,
  litecoin: checkBitcoin,
  monero: compileSchemaCheck(moneroChainEntry),
  ethereum: compileSchemaCheck(ethereumChainEntry),
};
const checkRates = {
  fixed: compileSchemaCheck(rateSources.fixed),
  operator: compileSchemaCheck(rateSources.operator),
  http: compileSchemaCheck(rateSources.http),
};

/** Reads the settlement file. Throws a ConfigError that names the line of every problem. */
export function readSettlementFile(file: string): SettlementPlan {
  const { document, problem } = readSettingsFile("IRONLEASE_SETTLEMENT", file);
  const outline = checkOutline(document);
  const faults = outline.length > 0 ? outline : partFaults(document as SettlementFile);
  if (faults.length > 0) throw new ConfigError(faults.map(problem));

  const { chains, rates } = document as SettlementFile;
  const folder = dirname(resolve(file));
  return {
    mode: modeOf(chains),
    chains: chains.map((chain) => withAbsolutePaths(chain, folder)),
    rates,
    faultAt: (path, message) => new ConfigError([problem({ path, message })]),
  };
}

function partFaults({ chains, rates }: SettlementFile): readonly Fault[] {
  const below = (path: readonly string[]) => (fault: Fault) => ({
    ...fault,
    path: [...path, ...fault.path],
  });
  const faults = [
    ...chains.flatMap((chain, index) =>
      checkChain[chain.kind](chain).map(below(["chains", String(index)])),
    ),
    ...checkRates[rates.source](rates).map(below(["rates"])),
  ];
  return faults.length > 0 ? faults : contradictions({ chains, rates });
}

/** Entries that are valid by themselves but not together. */
function contradictions({ chains, rates }: SettlementFile): readonly Fault[] {
  const faults = chains.flatMap((chain, index) => chainFaults(chains, chain, index));
  if (rates.source === "fixed" && modeOf(chains) === "LIVE") {
    faults.push({ path: ["rates", "source"], message: "must not be fixed on mainnet" });
  }
  return faults;
}

function chainFaults(chains: readonly ChainEntry[], chain: ChainEntry, index: number): Fault[] {
  const at = (field: string, message: string): Fault => ({
    path: ["chains", String(index), field],
    message,
  });
  const faults: Fault[] = [];
  if (chains.findIndex(({ kind }) => kind === chain.kind) < index) {
    faults.push(at("kind", `must be unique: another chain is ${chain.kind} already`));
  }
  if (modeOf([chain]) !== modeOf(chains)) {
    const field = chain.kind === "ethereum" ? "chainId" : "network";
    faults.push(at(field, "must be mainnet on every chain, or on none"));
  }
  const login = chain.kind === "monero" ? undefined : loginFault(chain);
  if (login !== undefined) faults.push(at(login.field, login.problem));
  if (chain.kind === "ethereum") {
    const assets = chain.tokens?.map(({ asset }) => asset) ?? [];
    if (new Set(assets).size < assets.length)
      faults.push(at("tokens", "must list each token once"));
  }
  const tiers = chain.confirmations === "finalized" ? undefined : chain.confirmations;
  const steps = tiers?.map(({ fromUsd }) => fromUsd) ?? [0];
  if (steps[0] !== 0 || steps.some((from, step) => step > 0 && from <= (steps[step - 1] ?? 0))) {
    faults.push(at("confirmations", "must start at 0 USD and rise"));
  }
  return faults;
}

function loginFault(
  chain: BitcoinChainEntry | EthereumChainEntry,
): { readonly field: string; readonly problem: string } | undefined {
  const [hasUser, hasPassword] = [chain.rpcUser !== undefined, chain.rpcPasswordFile !== undefined];
  const field = hasUser ? "rpcUser" : "rpcUrl";
  if (chain.kind === "ethereum") {
    const problem = "needs rpcUser together with rpcPasswordFile";
    return hasUser === hasPassword ? undefined : { field, problem };
  }
  const hasCookie = chain.rpcCookieFile !== undefined;
  if (hasCookie !== hasUser && hasUser === hasPassword) return undefined;
  return { field, problem: "needs rpcCookieFile, or rpcUser together with rpcPasswordFile" };
}

function modeOf([first]: readonly ChainEntry[]): SettlementMode {
  const isMain = first?.kind === "ethereum" ? first.chainId === 1 : first?.network === "mainnet";
  return isMain ? "LIVE" : "TEST";
}

/** All fields that name a file end in File. */
function withAbsolutePaths<Entry extends ChainEntry>(chain: Entry, folder: string): Entry {
  const fields = Object.entries(chain).map(([name, value]: [string, unknown]) =>
    name.endsWith("File") && typeof value === "string"
      ? [name, resolve(folder, value)]
      : [name, value],
  );
  return Object.fromEntries(fields) as Entry;
}
