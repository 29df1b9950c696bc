import type { FindRecorded } from "./caller.ts";
import type { FindIdempotencyKeyAnswer, ReadLedgerAnswer } from "./generated/account-types.ts";

type Entry = ReadLedgerAnswer["entries"][number];

/**
 * Finds the withdrawal that the key was used for. The ledger shows its asset and amount, which rule out a different
 * withdrawal, but not its destination.
 */
export const findWithdrawal: FindRecorded = async (read, fields, key) => {
  const { records } = (await read("findIdempotencyKey", { key })) as FindIdempotencyKeyAnswer;
  const used = records.find(({ operation }) => operation === "requestWithdrawal");
  const id = used?.reference?.id ?? null;
  if (id === null) return { isPossible: true, id };
  const { entries } = (await read("readLedger", {})) as ReadLedgerAnswer;
  const hold = entries.find(
    ({ type, reference }) => type === "WITHDRAWAL_HOLD" && reference.id === id,
  );
  // A hold beyond the end of the ledger rules out nothing.
  return { isPossible: hold === undefined || fits(hold, fields), id };
};

function fits(hold: Entry, fields: Readonly<Record<string, unknown>>) {
  // Only another asset rules out a hold.
  const asset = assetOfWithdrawal(hold) ?? fields["asset"];
  return hold.amountUsd === -Number(fields["usd"]) && asset === fields["asset"];
}

/** Undefined if the description does not name it: its wording may change. */
export function assetOfWithdrawal({ description }: Pick<Entry, "description">): string | undefined {
  return /^Withdrawal in ([A-Z]+)\b/.exec(description)?.[1];
}
