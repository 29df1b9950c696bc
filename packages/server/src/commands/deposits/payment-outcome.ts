import type { Db } from "../../ports/db.ts";
import type { SimulatedPayment } from "../../ports/settlement.ts";

/** One sentence on what has become of a simulated payment. */
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
    const reason = isGone ? "is gone" : "pays an address that no account was given";
    return `Transaction ${transactionId} ${reason}; nothing was credited.`;
  }

  const { username, asset, usd_cents: cents, confirmations, confirmations_required } = deposit;
  const paid = `Transaction ${transactionId} pays ${amount} ${asset} to ${username}`;
  const count = `${confirmations} of ${confirmations_required} confirmations`;
  if (cents !== null) {
    const usd = `${(cents / 100).toFixed(2)} USD`;
    const isLost = confirmations < confirmations_required;
    return isLost
      ? `${paid}: ${usd} stay credited though it has only ${count} now; the audit says so.`
      : `${paid}: ${usd} are credited.`;
  }
  return confirmations < confirmations_required
    ? `${paid}: it has ${count} and is credited when it has them all.`
    : `${paid}: it has ${count} but waits; the audit says why.`;
}
