import { sql } from "kysely";
import type { Db, Tx } from "#ports/db.ts";
import type { Random } from "#ports/random.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuseField } from "#kernel/result.ts";
import type { Asset, SimulatedPayment, SimulatedPayments } from "#ports/settlement.ts";
import { randomText } from "./random-text.ts";
import { simulatedAsset, simulatedNetworks } from "./simulated-assets.ts";

/** More than any chain needs. */
const maxCount = 1_000_000_000;
const transactionName = /^[A-Za-z0-9_-]{1,100}$/;

interface Output {
  readonly transactionId: string;
  readonly outputIndex: number;
  readonly address: string;
}

/** Pays simulated addresses. Repeating a payment updates its confirmations. */
export function createSimulatedPayments(db: Db, random: Random): SimulatedPayments {
  return {
    simulatePayment: async (payment) => {
      const checked = checkNames(payment);
      if (!checked.ok) return checked;
      const output: Output = {
        transactionId: payment.transactionId ?? `simtx-${randomText(random)}`,
        outputIndex: payment.outputIndex ?? 0,
        address: payment.address,
      };
      return db.write((tx) => pay(tx, output, payment));
    },
  };
}

function checkNames(payment: SimulatedPayment): Result<void> {
  const { transactionId = "new", outputIndex = 0, confirmations = 0 } = payment;
  if (!transactionName.test(transactionId)) {
    return refuseField("transactionId", "must be 1 to 100 letters, digits, hyphens or underscores");
  }
  if (!isCount(outputIndex)) return refuseField("outputIndex", "must be a whole number, 0 or more");
  if (!isCount(confirmations))
    return refuseField("confirmations", "must be a whole number, 0 or more");
  return ok();
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= maxCount;
}

async function pay(
  tx: Tx,
  output: Output,
  payment: SimulatedPayment,
): Promise<Result<{ transactionId: string }>> {
  const revision = await nextRevision(tx);
  const known = await tx
    .selectFrom("deposit_addresses")
    .select("asset")
    .where("address", "=", output.address)
    .where("network", "in", [...simulatedNetworks])
    .where("mode", "=", "SIMULATED")
    .executeTakeFirst();
  if (known === undefined) {
    return refuseField("address", "must be a simulated address that this service created");
  }
  const asset = known.asset as Asset;
  const terms = simulatedAsset(asset);
  const units = readUnits(payment.amount, asset, terms.decimals);
  if (!units.ok) return units;
  const same = await checkSame(tx, output, units.value);
  if (!same.ok) return same;

  const isGone = payment.isGone === true;
  const fate = {
    confirmations: isGone ? 0 : (payment.confirmations ?? terms.confirmations[0].needed),
    is_gone: isGone ? 1 : 0,
    revision,
  };
  await tx
    .insertInto("simulated_payments")
    .values({
      transaction_id: output.transactionId,
      output_index: output.outputIndex,
      address: output.address,
      asset,
      amount_units: units.value,
      ...fate,
    })
    .onConflict((conflict) =>
      conflict.columns(["transaction_id", "output_index"]).doUpdateSet(fate),
    )
    .execute();
  return ok({ transactionId: output.transactionId });
}

/** Locks the counter until the transaction ends, so revisions commit in order and a cursor never skips one. */
async function nextRevision(tx: Tx): Promise<number> {
  const { revision } = await tx
    .updateTable("simulated_revisions")
    .set({ revision: sql`revision + 1` })
    .where("id", "=", 1)
    .returning("revision")
    .executeTakeFirstOrThrow();
  return revision;
}

/** Only the confirmations of a recorded output may change. */
async function checkSame(tx: Tx, output: Output, units: string): Promise<Result<void>> {
  const before = await tx
    .selectFrom("simulated_payments")
    .select(["address", "amount_units"])
    .where("transaction_id", "=", output.transactionId)
    .where("output_index", "=", output.outputIndex)
    .executeTakeFirst();
  if (before === undefined) return ok();
  if (before.address !== output.address) {
    return refuseField("address", "must be the address that this transaction output paid");
  }
  if (before.amount_units !== units) {
    return refuseField("amount", "must be the amount that this transaction output paid");
  }
  return ok();
}

/** Converts a decimal amount to the smallest unit, as text because it may exceed 2^53. */
function readUnits(amount: string, asset: Asset, decimals: number): Result<string> {
  const match = /^(0|[1-9]\d{0,29})(?:\.(\d{1,30}))?$/.exec(amount);
  if (match === null) return refuseField("amount", "must be a decimal such as 0.015");
  const [, whole = "", fraction = ""] = match;
  if (fraction.length > decimals) {
    return refuseField("amount", `must have at most ${decimals} decimals for ${asset}`);
  }
  const units = BigInt(whole + fraction.padEnd(decimals, "0"));
  return units === 0n ? refuseField("amount", "must be greater than 0") : ok(String(units));
}
