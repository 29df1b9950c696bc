import { detailsOf, type FindRecorded } from "./caller.ts";
import type { ReadLedgerAnswer } from "./generated/account-types.ts";

/** The ledger returns at most this many entries, so a shorter list is complete. */
const ledgerLength = 100;
/** The Date header has whole seconds, and the ledger is read slightly later. */
const slackMs = 2_000;

type Entry = ReadLedgerAnswer["entries"][number];

/**
 * Finds the hold of a withdrawal in the ledger. The ledger shows neither keys nor destinations, so the
 * asset, the amount and the time must match exactly one hold in a complete list.
 */
export const findWithdrawal: FindRecorded = async (read, fields, sinceMs) => {
  const ledger = (await read("readLedger")) as ReadLedgerAnswer;
  const { entries } = ledger;
  const answeredAt = Date.parse(detailsOf(ledger)?.date ?? "");
  const earliest = Number.isFinite(sinceMs) ? answeredAt - sinceMs - slackMs : -Infinity;
  if (Number.isNaN(earliest)) return { isPossible: true, id: null };
  const oldest = entries.at(-1);
  const isComplete =
    entries.length < ledgerLength ||
    (oldest !== undefined && Date.parse(oldest.createdAt) < earliest);
  const fitting = entries.filter((entry) => fits(entry, fields));
  // The client's clock stops while the machine sleeps, so an older hold also counts here.
  if (isComplete && fitting.length === 0) return { isPossible: false, id: null };
  const recent = fitting.filter(({ createdAt }) => Date.parse(createdAt) >= earliest);
  const only = isComplete && recent.length === 1 ? recent[0] : undefined;
  return { isPossible: true, id: only?.reference.id ?? null };
};

function fits({ type, amountUsd, description }: Entry, fields: Readonly<Record<string, unknown>>) {
  // The wording of descriptions may change, so only another asset rules out a hold.
  const asset = /^Withdrawal in ([A-Z]+)\b/.exec(description)?.[1] ?? fields["asset"];
  return (
    type === "WITHDRAWAL_HOLD" && amountUsd === -Number(fields["usd"]) && asset === fields["asset"]
  );
}
