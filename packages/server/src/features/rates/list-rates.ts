import { assets } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import { freshRate } from "#kernel/fresh-rate.ts";
import { proposalMs, readRateLog, type RateEntry } from "#kernel/operator-rates.ts";
import {
  SettlementFailed,
  SettlementUnavailable,
  type Asset,
  type Rate,
} from "#ports/settlement.ts";

/** The rate at which a payment would be credited now, or the reason why there is none. */
export type AssetRate =
  | { readonly asset: Asset; readonly rate: Rate; readonly validUntil: number }
  | { readonly asset: Asset; readonly error: string };

/** A change that waits for a second operator. */
export interface ProposedRate extends Pick<RateEntry, "asset" | "usd" | "at" | "validUntil"> {
  /** The username. */
  readonly proposedBy: string;
  readonly expiresAt: number;
}

export interface ListedRates {
  readonly rates: readonly AssetRate[];
  readonly proposals: readonly ProposedRate[];
}

export async function listRates(core: Core): Promise<ListedRates> {
  return { rates: await currentRates(core, assets), proposals: await listProposals(core) };
}

/** The rates of these assets, asked for at once. */
export function currentRates(core: Core, wanted: readonly Asset[]): Promise<readonly AssetRate[]> {
  return Promise.all(wanted.map((asset) => currentRate(core, asset)));
}

export async function currentRate(
  core: Pick<Core, "rates" | "clock">,
  asset: Asset,
): Promise<AssetRate> {
  try {
    const rate = await freshRate(core, asset);
    const tooOldAt = rate.at + (core.rates?.maxAgeMs ?? 0);
    return { asset, rate, validUntil: Math.min(tooOldAt, rate.validUntil ?? tooOldAt) };
  } catch (error) {
    if (error instanceof SettlementFailed || error instanceof SettlementUnavailable) {
      return { asset, error: error.message };
    }
    throw error;
  }
}

async function listProposals({ db, clock }: Core): Promise<readonly ProposedRate[]> {
  const now = clock.now();
  const logs = await Promise.all(assets.map((asset) => readRateLog(db.read, asset, now)));
  const pending = logs.flatMap((log) => latestOfEach(log.pending));
  const names = await usernames(db.read, pending);
  return pending.map(({ asset, usd, at, validUntil, setBy }) => ({
    asset,
    usd,
    at,
    validUntil,
    proposedBy: names.get(setBy) ?? setBy,
    expiresAt: Math.min(at + proposalMs, validUntil),
  }));
}

/** An operator who asks for the same rate again has one proposal, not two. */
function latestOfEach(pending: readonly RateEntry[]): readonly RateEntry[] {
  return [...new Map(pending.map((entry) => [`${entry.setBy} ${entry.usd}`, entry])).values()];
}

async function usernames(
  db: Core["db"]["read"],
  pending: readonly RateEntry[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(pending.map(({ setBy }) => setBy))];
  if (ids.length === 0) return new Map();
  const query = db.selectFrom("operators").select(["id", "username"]).where("id", "in", ids);
  return new Map((await query.execute()).map(({ id, username }) => [id, username]));
}
