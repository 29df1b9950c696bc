import type { Db } from "#ports/db.ts";
import type { SimulatedPayment } from "#ports/settlement.ts";

/** One sentence about the outcome of a simulated payment. */
export async function paymentOutcome(
  db: Db,
  { address, amount, isGone = false }: SimulatedPayment,
  transactionId: string,
): Promise<string> {
  const deposit = await db.read
    .selectFrom("deposits")
    .innerJoin("accounts", "accounts.id", "deposits.account_id")
    .select(["username", "asset", "usd_cents", "confirmations", "confirmations_required"])
    .where("address", "=", address)
    .where("transaction_id", "=", transactionId)
    .where("output_index", "=", 0)
    .executeTakeFirst();
  if (deposit === undefined) {
    const reason = isGone ? "was removed" : "is not recorded yet";
    return `Transaction ${transactionId} ${reason}. Nothing was credited.`;
  }

  const { username, asset, usd_cents: cents, confirmations, confirmations_required } = deposit;
  const paid = `Transaction ${transactionId} pays ${amount} ${asset} to ${username}`;
  const count = `${confirmations} of ${confirmations_required} confirmations`;
  if (cents !== null) {
    const usd = `${(cents / 100).toFixed(2)} USD`;
    const isLost = confirmations < confirmations_required;
    return isLost
      ? `${paid}: ${usd} remain credited, although it now has ${count}. The audit log records this.`
      : `${paid}: ${usd} credited.`;
  }
  return confirmations < confirmations_required
    ? `${paid}: ${count}. It is credited once it has them all.`
    : `${paid}: ${count}, but not credited yet. The audit log says why.`;
}
