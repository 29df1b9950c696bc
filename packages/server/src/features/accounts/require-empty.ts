import { limits, usdFromCents } from "@ironlease/contract";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

/**
 * Refuses an account that still has servers or money, and says what to do about each. The balance is locked, so that a
 * concurrent credit either comes first and is seen, or waits until the account is closed. Every change by the customer
 * waits for the account's row, which the caller holds.
 */
export async function requireEmpty(tx: Tx, accountId: string): Promise<Result<void>> {
  const { servers } = await tx
    .selectFrom("servers")
    .select((eb) => eb.fn.countAll<number>().as("servers"))
    .where("account_id", "=", accountId)
    .where("state", "<>", "TERMINATED")
    .executeTakeFirstOrThrow();
  const { deposits } = await tx
    .selectFrom("deposits")
    .select((eb) => eb.fn.countAll<number>().as("deposits"))
    .where("account_id", "=", accountId)
    .where("state", "=", "CONFIRMING")
    .executeTakeFirstOrThrow();
  const balance = await tx
    .selectFrom("balances")
    .select(["available_cents as spendable", "held_cents as held"])
    .where("account_id", "=", accountId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const left = whatIsLeft({ servers, deposits, ...balance });
  if (left.length === 0) return ok();
  return refuse("account_not_empty", { message: `The account is not empty. ${left.join(" ")}` });
}

interface Left {
  readonly servers: number;
  readonly deposits: number;
  readonly spendable: number;
  readonly held: number;
}

function whatIsLeft({ servers, deposits, spendable, held }: Left): readonly string[] {
  const left: string[] = [];
  if (servers > 0) {
    left.push(
      `It has ${servers} ${servers === 1 ? "server" : "servers"}: turn off renewal and wait until the term ends.`,
    );
  }
  if (held > 0) {
    left.push(`${usd(held)} is held: wait until the withdrawal is paid or rejected.`);
  }
  if (deposits > 0) left.push("A deposit is on its way: wait until it is credited.");
  if (spendable > 0) {
    left.push(
      spendable < limits.withdrawalCents.min
        ? `The balance is ${usd(spendable)}, too little to withdraw: write to the operators.`
        : `The balance is ${usd(spendable)}: withdraw it.`,
    );
  }
  return left;
}

function usd(cents: number): string {
  return `${usdFromCents(cents).toFixed(2)} USD`;
}
