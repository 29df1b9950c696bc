import { assets, rateFromUnits, rateUnits } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import type { OperatorCall, Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, readUtcTime } from "#kernel/iso-time.ts";
import { appendRateEntry, type RateEntry, type RateLog } from "#kernel/operator-rates.ts";
import type { Result } from "#ports/result.ts";
import type { Asset } from "#ports/settlement.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";

/** A larger change than this needs two operators. */
const maxChangePercent = 20n;

export interface RateInput {
  readonly asset: string;
  readonly usd: number | string;
  readonly validUntil: string;
}

interface Wish {
  readonly units: bigint;
  readonly usd: string;
  readonly validUntil: number;
}

/**
 * Sets the rate of an asset, or proposes it (kind PROPOSED) when the change needs a second operator. The second
 * operator's request for the same rate sets it.
 */
export async function setRate(
  core: Core,
  call: OperatorCall,
  input: RateInput,
): Promise<Result<RateEntry>> {
  const wish = readWish(core, input);
  if (!wish.ok) return wish;
  return core.db.write(async (tx) => {
    const asset = assets.find((known) => known === input.asset);
    if (asset === undefined) return refuse("not_found");
    return ok(await append({ tx, core, call }, asset, wish.value));
  });
}

function readWish({ clock, rules }: Core, input: RateInput): Result<Wish> {
  const units = rateUnits(String(input.usd));
  if (units === undefined) {
    return refuseField("usd", "must be a decimal above zero, below 1000000000000 USD");
  }
  const validUntil = readUtcTime(input.validUntil);
  if (validUntil === undefined) {
    return refuseField("validUntil", "must be a time in UTC such as 2026-11-16T09:30:00.000Z");
  }
  const now = clock.now();
  if (validUntil <= now) return refuseField("validUntil", "must be in the future");
  if (validUntil > now + rules.operatorRateMs) {
    const latest = isoTime(now + rules.operatorRateMs);
    return refuseField("validUntil", `must not be later than ${latest}`);
  }
  return ok({ units, usd: rateFromUnits(units), validUntil });
}

async function append(step: Step<OperatorCall>, asset: Asset, wish: Wish): Promise<RateEntry> {
  let previous: RateEntry | undefined;
  const entry = await appendRateEntry(step, asset, (log) => {
    previous = log.last;
    return decide(step, log, wish);
  });
  if (entry === undefined) throw new Error("a request for a rate always leaves an entry");
  const { kind, usd, validUntil, proposedBy } = entry;
  const action = kind === "SET" ? "rate.set" : "rate.propose";
  const detail = { usd, validUntil: isoTime(validUntil), previousUsd: previous?.usd ?? null };
  await audit(step, action, asset, { ...detail, ...(proposedBy !== null && { proposedBy }) });
  return entry;
}

function decide(
  { core, call }: Step<OperatorCall>,
  { last, pending }: RateLog,
  { units, usd, validUntil }: Wish,
): Omit<RateEntry, "id" | "asset" | "at"> {
  const setBy = call.operator.operatorId;
  const alone = { usd, validUntil, setBy, proposalId: null, proposedBy: null };
  if (!needsTwoOperators(core, last, units)) return { ...alone, kind: "SET" };
  const proposal = pending.find((other) => other.usd === usd && other.setBy !== setBy);
  if (proposal === undefined) return { ...alone, kind: "PROPOSED" };
  return {
    kind: "SET",
    usd,
    setBy,
    proposalId: proposal.id,
    proposedBy: proposal.setBy,
    // Both operators agreed to the shorter time only.
    validUntil: Math.min(validUntil, proposal.validUntil),
  };
}

/** The first rate of an asset has nothing to be compared with. Where money is real, two operators set it. */
function needsTwoOperators(
  { settlement }: Core,
  last: RateEntry | undefined,
  units: bigint,
): boolean {
  const before = rateUnits(last?.usd ?? "");
  if (before === undefined) return settlement?.mode === "LIVE";
  const change = units > before ? units - before : before - units;
  return change * 100n > before * maxChangePercent;
}
