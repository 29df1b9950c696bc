import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { refuse } from "./result.ts";

const usd = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

interface Debit {
  readonly accountId: string;
  readonly cents: number;
}

const verbs = { You: "have", "The account": "has" } as const;

/**
 * Refuses a debit that the ledger refused, with figures. The balance is read after that, so a concurrent credit may
 * already cover the amount. The figures would then contradict the refusal and are left out.
 */
export async function refuseDebit(
  tx: Tx,
  { accountId, cents }: Debit,
  owner: keyof typeof verbs,
): Promise<Result<never>> {
  const balance = await tx
    .selectFrom("balances")
    .select("available_cents")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const available = balance?.available_cents ?? 0;
  if (available >= cents) return refuse("insufficient_balance");
  const [has, needs] = [usd.format(available / 100), usd.format(cents / 100)];
  return refuse("insufficient_balance", {
    message: `Insufficient balance. ${owner} ${verbs[owner]} ${has}; this needs ${needs}.`,
  });
}
