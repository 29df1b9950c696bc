import { sql, type Kysely } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { Schema } from "#ports/schema.ts";

/** What an operator should know about an account before they pay its withdrawal. */
export interface WithdrawalReview {
  readonly operatorsNeeded: 1 | 2;
  readonly accountCreatedAt: number;
  readonly deposits: number;
  readonly depositedCents: number;
  readonly paidWithdrawals: number;
  readonly paidCents: number;
  /** How many of the paid ones went to the same destination. */
  readonly paidToDestination: number;
  /** The latest change of the password, recovery, or removal of the second factor. */
  readonly accessChange: { readonly action: string; readonly at: number } | null;
}

/** An account with more has a long history, whatever the exact number. */
const most = sql.lit(1_000);

interface Reviewed {
  readonly accountId: string;
  readonly withdrawalId: string;
}

/** Takes two queries. The counts stop at a thousand, so that they read no more rows of any account. */
export async function reviewWithdrawal(
  { db, rules }: { readonly db: Kysely<Schema>; readonly rules: Core["rules"] },
  { accountId, withdrawalId }: Reviewed,
): Promise<WithdrawalReview> {
  const { rows } = await sql<Omit<WithdrawalReview, "accessChange"> & { readonly cents: number }>`
    select accounts.created_at as "accountCreatedAt", reviewed.cents,
      credited.count as "deposits", credited.cents as "depositedCents",
      paid.count as "paidWithdrawals", paid.cents as "paidCents", paid.same as "paidToDestination"
    from accounts, (select cents from withdrawals where id = ${withdrawalId}) as reviewed,
      (select count(*) as count, coalesce(sum(usd_cents), 0) as cents from (
        select usd_cents from deposits
          where account_id = ${accountId} and state = 'CREDITED' limit ${most}) as latest) as credited,
      (select count(*) as count, coalesce(sum(cents), 0) as cents,
          coalesce(sum(case when destination = (
            select destination from withdrawals where id = ${withdrawalId}) then 1 else 0 end), 0) as same
        from (select cents, destination from withdrawals
          where account_id = ${accountId} and status = 'PAID' and id <> ${withdrawalId}
          limit ${most}) as earlier) as paid
    where accounts.id = ${accountId}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`the withdrawal ${withdrawalId} has no account`);
  const { cents, ...history } = row;
  return {
    ...history,
    operatorsNeeded: cents < rules.twoOperatorsFromCents ? 1 : 2,
    accessChange: await latestAccessChange(db, accountId),
  };
}

/** The literals let the engines use the partial index. */
async function latestAccessChange(db: Kysely<Schema>, accountId: string) {
  const change = await db
    .selectFrom("audit")
    .select(["action", "at"])
    .where("subject", "=", accountId)
    .where(
      sql<boolean>`action in ('account.change_password', 'account.recover', 'account.remove_totp')`,
    )
    .orderBy("id", "desc")
    .limit(sql.lit(1))
    .executeTakeFirst();
  return change ?? null;
}
