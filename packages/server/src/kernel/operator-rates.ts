import { assets } from "@ironlease/contract";
import type { Db, Tx } from "#ports/db.ts";
import type { RateEntryKind } from "#ports/schema.ts";
import { SettlementUnavailable, type Asset, type Rates } from "#ports/settlement.ts";
import { audit } from "./audit.ts";
import { systemCall, type TxScope } from "./call.ts";
import { isoTime } from "./iso-time.ts";

/** How long a proposal waits for a second operator. */
export const proposalMs = 30 * 60_000;

/** How long reading a rate from the database may take. */
const answerMs = 15_000;

/** An entry of an asset's log. It never changes. */
export interface RateEntry {
  readonly id: string;
  readonly asset: Asset;
  readonly kind: RateEntryKind;
  /** USD per coin, as `rateFromUnits` writes it. */
  readonly usd: string;
  readonly at: number;
  readonly validUntil: number;
  readonly setBy: string;
  /** SET: the confirmed proposal, where one was needed. VOIDED: the voided one. */
  readonly proposalId: string | null;
  /** SET: the operator who made that proposal. */
  readonly proposedBy: string | null;
}

/** What the log of an asset amounts to. */
export interface RateLog {
  /** The last rate that was set, whether or not it is still valid. */
  readonly last: RateEntry | undefined;
  /** Proposals that a second operator can confirm, oldest first. */
  readonly pending: readonly RateEntry[];
}

/** Rates that operators set. Whether the last one is still fresh enough is for the caller to decide. */
export function createOperatorRates(db: Pick<Db, "read">, maxAgeMs: number): Rates {
  return {
    maxAgeMs,
    answerMs,
    usdPerCoin: async (asset) => {
      const last = await readLastRate(db.read, asset);
      if (last === undefined) throw new SettlementUnavailable(`no rate of ${asset} has been set`);
      const { usd: rate, at, validUntil } = last;
      return { rate, at, validUntil, sources: ["operator"], isSetByOperator: true };
    },
  };
}

const columns = [
  "id",
  "kind",
  "usd",
  "at",
  "valid_until as validUntil",
  "set_by as setBy",
  "proposal_id as proposalId",
  "proposed_by as proposedBy",
] as const;

const maxPending = 100;

interface CountedEntry extends RateEntry {
  readonly sequence: number;
}

async function readLastRate(db: Tx, asset: Asset): Promise<CountedEntry | undefined> {
  const last = await entriesOf(db, asset, "SET")
    .select([...columns, "sequence"])
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return last && { ...last, asset };
}

const entriesOf = (db: Tx, asset: Asset, kind: RateEntryKind) =>
  db.selectFrom("rates").where("asset", "=", asset).where("kind", "=", kind);

/**
 * A proposal is pending for a limited time, until it is voided or until the next rate is set: the operator who set that
 * rate saw the proposal and decided otherwise.
 */
export async function readRateLog(db: Tx, asset: Asset, now: number): Promise<RateLog> {
  const last = await readLastRate(db, asset);
  const pending = await entriesOf(db, asset, "PROPOSED")
    .select(columns)
    .where("sequence", ">", last?.sequence ?? 0)
    .where("at", ">", now - proposalMs)
    .where("valid_until", ">", now)
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom("rates as voiding")
            .select("voiding.id")
            .whereRef("voiding.proposal_id", "=", "rates.id"),
        ),
      ),
    )
    .orderBy("sequence", "desc")
    .limit(maxPending)
    .execute();
  return { last, pending: pending.map((row) => ({ ...row, asset })).toReversed() };
}

type NewEntry = Omit<RateEntry, "id" | "asset" | "at">;

/** Far more than there are operators who can collide. */
const maxAttempts = 100;

/**
 * Appends the entry that `decide` makes of the log. Optimistic locking: if another transaction appended an entry in
 * the meantime, the sequence number is taken, and `decide` sees the new log. Appends nothing for undefined.
 */
export async function appendRateEntry(
  { tx, core }: TxScope,
  asset: Asset,
  decide: (log: RateLog) => NewEntry | undefined,
): Promise<RateEntry | undefined> {
  const at = core.clock.now();
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const sequence = (await lastSequence(tx, asset)) + 1;
    const entry = decide(await readRateLog(tx, asset, at));
    if (entry === undefined) return undefined;
    const id = core.ids.next("rateEntry");
    const { kind, usd } = entry;
    const inserted = await tx
      .insertInto("rates")
      .values({
        id,
        asset,
        sequence,
        kind,
        usd,
        at,
        valid_until: entry.validUntil,
        set_by: entry.setBy,
        proposal_id: entry.proposalId,
        proposed_by: entry.proposedBy,
      })
      .onConflict((conflict) => conflict.columns(["asset", "sequence"]).doNothing())
      .returning("id")
      .executeTakeFirst();
    if (inserted !== undefined) return { ...entry, id, asset, at };
  }
  throw new Error(`the log of ${asset} rates changed ${maxAttempts} times meanwhile`);
}

async function lastSequence(tx: Tx, asset: Asset): Promise<number> {
  const last = await tx
    .selectFrom("rates")
    .select("sequence")
    .where("asset", "=", asset)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.sequence ?? 0;
}

/**
 * Permanently voids the pending proposals of an operator who is being disabled. Enabling the operator again does not
 * restore them.
 */
export async function voidProposals(
  scope: TxScope,
  { id, username }: { readonly id: string; readonly username: string },
): Promise<void> {
  for (const asset of assets) {
    let voided: RateEntry | undefined;
    do {
      voided = await appendRateEntry(scope, asset, ({ pending }) => {
        const proposal = pending.find(({ setBy }) => setBy === id);
        return proposal && { ...proposal, kind: "VOIDED", proposalId: proposal.id };
      });
      if (voided !== undefined) await auditVoided(scope, voided, username);
    } while (voided !== undefined);
  }
}

function auditVoided(scope: TxScope, { asset, usd, validUntil }: RateEntry, operator: string) {
  const detail = { usd, validUntil: isoTime(validUntil), operator };
  return audit({ ...scope, call: systemCall }, "rate.void_proposal", asset, detail);
}
