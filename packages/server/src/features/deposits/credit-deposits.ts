import type { Core } from "#kernel/core.ts";
import { DatabaseUnavailable } from "#ports/db.ts";
import { SettlementUnavailable, type Asset } from "#ports/settlement.ts";
import { creditDeposit, type DueDeposit, type Rate } from "./credit-deposit.ts";
import { maxFailures, type SettlementPass, type SettlementRun } from "./settlement-pass.ts";
import { callProvider } from "./provider-deadline.ts";

const pageLength = 100;
const maxPages = 100;

/**
 * Credits every payment with enough confirmations, whenever it got them. What an interrupted pass or a missing rate
 * leaves over, the next pass credits.
 */
export async function creditDeposits(run: SettlementRun): Promise<void> {
  const { core, pass, stop } = run;
  const rateOf = ratesOfOnePass(run);
  let after = "";
  for (let page = 0; page < maxPages; page += 1) {
    const due = await dueDeposits(core, after);
    for (const deposit of due) {
      if (stop?.aborted === true || pass.failures.length >= maxFailures) return;
      const rate = await rateOf(deposit.asset);
      if (rate !== undefined) await creditOne(core, deposit, rate, pass);
      after = deposit.id;
    }
    if (due.length < pageLength) return;
  }
}

/** A failed credit does not stop the others. An unavailable database stops the pass. */
async function creditOne(
  core: Core,
  deposit: DueDeposit,
  rate: Rate,
  pass: SettlementPass,
): Promise<void> {
  try {
    if (await creditDeposit(core, deposit, rate)) pass.credited += 1;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    pass.failures.push(error);
  }
}

/** Each rate is fetched once per pass, outside any transaction, and a failure is reported once. */
function ratesOfOnePass({
  core,
  settlement,
  pass,
}: SettlementRun): (asset: Asset) => Promise<Rate | undefined> {
  const asked = new Map<Asset, Promise<Rate | undefined>>();
  const ask = async (asset: Asset): Promise<Rate | undefined> => {
    try {
      const { rates } = core;
      if (rates === undefined) throw new SettlementUnavailable("no source of rates is connected");
      return await callProvider(settlement, () => rates.usdPerCoin(asset));
    } catch (error) {
      pass.failures.push(error);
      return undefined;
    }
  };
  return (asset) => {
    const rate = asked.get(asset) ?? ask(asset);
    asked.set(asset, rate);
    return rate;
  };
}

async function dueDeposits(core: Core, after: string): Promise<readonly DueDeposit[]> {
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
    .where("state", "=", "CONFIRMING")
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
