import { verifyInvariants } from "#server/features/verification/verify-invariants.ts";
import type { Db } from "#server/ports/db.ts";

export interface RecordedDeposit {
  readonly key: string;
  readonly state: string;
  readonly confirmations: number;
  readonly isLost: boolean;
}

/** What the database has about deposits, by `transaction:index`. */
export interface RecordedState {
  readonly deposits: readonly RecordedDeposit[];
  /** The cents of each ledger entry. */
  readonly credits: ReadonlyMap<string, number>;
  readonly auditedCredits: ReadonlyMap<string, number>;
  readonly auditedLosses: ReadonlyMap<string, number>;
}

export async function readRecordedState({ read }: Db): Promise<RecordedState> {
  const deposits = await read
    .selectFrom("deposits")
    .select(["transaction_id", "output_index", "state", "confirmations", "lost_at"])
    .execute();
  const entries = await read
    .selectFrom("journal")
    .select(["cause", "amount_cents"])
    .where("type", "=", "DEPOSIT")
    .execute();
  return {
    deposits: deposits.map((row) => ({
      key: `${row.transaction_id}:${row.output_index}`,
      state: row.state,
      confirmations: row.confirmations,
      isLost: row.lost_at !== null,
    })),
    // A cause is `deposit/network/transaction/index`.
    credits: new Map(
      entries.map(({ cause, amount_cents: cents }) => [cause.split("/").slice(2).join(":"), cents]),
    ),
    auditedCredits: await countAudits({ read }, "deposit.credit"),
    auditedLosses: await countAudits({ read }, "deposit.lost_after_credit"),
  };
}

async function countAudits({ read }: Pick<Db, "read">, action: string) {
  const entries = await read
    .selectFrom("audit")
    .select("detail")
    .where("action", "=", action)
    .execute();
  const counts = new Map<string, number>();
  for (const { detail } of entries) {
    const { transactionId, outputIndex } = JSON.parse(detail) as Record<string, unknown>;
    const key = `${String(transactionId)}:${String(outputIndex)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** As `ironleased verify` finds them. */
export async function brokenInvariants(db: Db): Promise<readonly string[]> {
  const findings = await verifyInvariants(db);
  return findings
    .filter(({ offenders }) => offenders.length > 0)
    .map((finding) => JSON.stringify(finding));
}
