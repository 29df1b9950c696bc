import { usdText } from "@ironlease/contract";
import { refuseDebit } from "#kernel/insufficient-balance.ts";
import { minuteText } from "#kernel/iso-time.ts";
import { move } from "#kernel/ledger.ts";
import { ok, refuse } from "#kernel/result.ts";
import { shareOfTerm } from "#kernel/terms.ts";
import type { Completion, HeldJob, Postponed } from "#kernel/work-effects.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";

/** The price per term that the customer agreed to, and what the rest of the current term costs. */
export interface Charged {
  /** Undefined when no amount was ever named, which means 0. */
  readonly quoteCents?: number | undefined;
  readonly chargedCents?: number;
}

/** A customer gets at most one message in this time about a balance that does not cover the charge. */
const remindAfterMs = 86_400_000;

/**
 * Charges the rest of the current term for ADVANCED, before anything else changes. Without the balance for it, nothing
 * is applied and the customer gets a message.
 */
export async function chargeQuote(
  job: HeldJob,
  completion: Completion,
): Promise<Result<Charged | Postponed>> {
  const { tx, core, item } = job;
  const server = await readQuoted(tx, item.subjectId);
  const agreed = agreedCents(server, completion.quoteCents);
  if (!agreed.ok) return agreed;
  const quoteCents = agreed.value;
  const { term, paidThrough } = server;
  if (paidThrough === null && (quoteCents ?? 0) > 0) {
    return refuse("conflict", {
      message:
        "This server is not delivered yet, and the charge depends on its term. Deliver it first.",
    });
  }
  const now = core.clock.now();
  const chargedCents = shareOfTerm(quoteCents ?? 0, { term, paidThrough: paidThrough ?? now }, now);
  if (chargedCents > 0) {
    const moved = await move(job, {
      type: "DDOS_CHARGE",
      accountId: item.accountId,
      cents: chargedCents,
      cause: `ddos/${item.id}`,
      description: `DDoS protection of ${server.hostname ?? item.subjectId} until ${minuteText(paidThrough ?? now)}`,
      reference: { kind: "server", id: item.subjectId },
    });
    if (!moved.ok) return postpone(job, chargedCents);
  }
  await tx
    .updateTable("ddos_requests")
    .set({ quote_cents: quoteCents ?? 0, charged_cents: chargedCents })
    .where("id", "=", item.ddosRequestId)
    .execute();
  return ok({ quoteCents, chargedCents });
}

type Quoted = Awaited<ReturnType<typeof readQuoted>>;

function readQuoted(tx: Tx, serverId: string) {
  return tx
    .selectFrom("servers")
    .select(["hostname", "term", "paid_through as paidThrough"])
    .select(["ddos_offer_cents as offerCents", "ddos_offer_accepted_at as acceptedAt"])
    .where("id", "=", serverId)
    .executeTakeFirstOrThrow();
}

/** An offer binds both sides. Without one, the operator's word counts. */
function agreedCents(
  { offerCents, acceptedAt }: Quoted,
  named: number | undefined,
): Result<number | undefined> {
  if (offerCents === null) return ok(named);
  const quote = `the quote of ${usdText(offerCents)} USD`;
  if (acceptedAt === null) {
    return refuse("conflict", {
      message: `The customer has not accepted ${quote} yet. Release the item, or offer another quote.`,
    });
  }
  if (named !== undefined && named !== offerCents) {
    return refuse("conflict", {
      message: `The customer accepted ${quote}. Complete the item without quoteUsd, or with that amount.`,
    });
  }
  return ok(offerCents);
}

async function postpone({ tx, core, item }: HeldJob, cents: number): Promise<Result<Postponed>> {
  const refused = await refuseDebit(tx, { accountId: item.accountId, cents }, "The account");
  if (refused.ok) throw new Error("a refused debit must be a refusal");
  const now = core.clock.now();
  const { numUpdatedRows } = await tx
    .updateTable("ddos_requests")
    .set({ short_told_at: now })
    .where("id", "=", item.ddosRequestId)
    .where((eb) =>
      eb.or([eb("short_told_at", "is", null), eb("short_told_at", "<=", now - remindAfterMs)]),
    )
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return refused;
  return ok({
    refusal: refused.refusal,
    report: `DDoS mode ADVANCED: not applied yet. It costs ${usdText(cents)} USD for the rest of this term, and your balance does not cover that. Add funds, and an operator will complete the request.`,
  });
}
