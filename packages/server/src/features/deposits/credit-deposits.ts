import type { Core } from "#kernel/core.ts";
import { DatabaseUnavailable } from "#ports/db.ts";
import type { Asset } from "#ports/settlement.ts";
import { creditDeposit } from "./credit-deposit.ts";
import type { DueDeposit } from "./due-deposit.ts";
import { maxFailures, type ChainRun } from "./settlement-pass.ts";

const pageLength = 100;
const maxPages = 100;

/**
 * Credits every payment of the chain with enough confirmations, whenever it got them. What an interrupted pass or a
 * missing rate leaves over, the next pass credits.
 */
export async function creditDeposits(run: ChainRun): Promise<void> {
  const { core, chain, pass, stop } = run;
  let after = "";
  for (let page = 0; page < maxPages; page += 1) {
    const due = await dueDeposits(core, chain.network, after);
    for (const deposit of due) {
      if (stop?.aborted === true || pass.failures.length >= maxFailures) return;
      await creditOne(run, deposit);
      after = deposit.id;
    }
    if (due.length < pageLength) return;
  }
}

/** A failed credit does not stop the others. An unavailable database stops the pass. */
async function creditOne(run: ChainRun, deposit: DueDeposit): Promise<void> {
  const { pass } = run;
  const rate = await run.rateOf(deposit.asset);
  if (rate === undefined) return;
  try {
    if (await creditDeposit(run, deposit, rate)) pass.credited += 1;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    pass.failures.push(error);
  }
}

async function dueDeposits(
  core: Core,
  network: string,
  after: string,
): Promise<readonly DueDeposit[]> {
  const rows = await core.db.read
    .selectFrom("deposits")
    .select([
      "id",
      "account_id as accountId",
      "asset",
      "network",
      "transaction_id as transactionId",
      "output_index as outputIndex",
      "amount_units as amountUnits",
      "amount_decimals as decimals",
    ])
    .where("network", "=", network)
    .where("state", "=", "CONFIRMING")
    .where("is_locked", "=", 0)
    .whereRef("confirmations", ">=", "confirmations_required")
    .where((eb) =>
      eb.or([eb("deferred_until", "is", null), eb("deferred_until", "<=", core.clock.now())]),
    )
    .where("id", ">", after)
    .orderBy("id")
    .limit(pageLength)
    .execute();
  return rows.map((row) => ({
    ...row,
    asset: row.asset as Asset,
    amountUnits: BigInt(row.amountUnits),
  }));
}
