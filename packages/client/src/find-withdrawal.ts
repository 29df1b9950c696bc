import { detailsOf, type FindRecorded } from "./caller.ts";
import type { ReadLedgerAnswer } from "./generated/account-types.ts";

/** As many entries as the ledger ever shows: with fewer, it shows all there are. */
const ledgerLength = 100;
/** The service tells the time in whole seconds, and the ledger was read a little later. */
const slackMs = 2_000;

/**
 * Which withdrawal it was. The ledger knows no keys, so it is told by its sum and its time; only when
 * exactly one hold fits, and none can be out of sight, is that the one.
 */
export const findWithdrawal: FindRecorded = async (read, fields, sinceMs) => {
  const ledger = (await read("readLedger")) as ReadLedgerAnswer;
  const { entries } = ledger;
  const answeredAt = Date.parse(detailsOf(ledger)?.date ?? "");
  const earliest = Number.isFinite(sinceMs) ? answeredAt - sinceMs - slackMs : -Infinity;
  if (Number.isNaN(earliest)) return null;
  const oldest = entries.at(-1);
  const isAllInSight =
    entries.length < ledgerLength ||
    (oldest !== undefined && Date.parse(oldest.createdAt) < earliest);
  const fitting = entries.filter(
    ({ type, amountUsd, createdAt }) =>
      type === "WITHDRAWAL_HOLD" &&
      amountUsd === -Number(fields["usd"]) &&
      Date.parse(createdAt) >= earliest,
  );
  return isAllInSight && fitting.length === 1 ? (fitting[0]?.reference.id ?? null) : null;
};
