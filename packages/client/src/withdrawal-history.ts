import type { CallOptions } from "./call.ts";
import { assetOfWithdrawal } from "./find-withdrawal.ts";
import type {
  LedgerEntry,
  ListLedgerEntriesAnswer,
  ListLedgerEntriesRequest,
  RequestWithdrawalRequest,
} from "./generated/account-types.ts";

export interface WithdrawalInLedger {
  readonly id: string;
  readonly requestedAt: string;
  readonly usd: number;
  /** Null if the wording of the entry does not name it. */
  readonly asset: RequestWithdrawalRequest["asset"] | null;
  readonly status: "HELD" | "PAID" | "REJECTED";
  readonly transactionId: string | null;
  /** Why it was rejected. */
  readonly reason: string | null;
  /** When it was paid or rejected. */
  readonly resolvedAt: string | null;
}

export interface WithdrawalHistory {
  readonly withdrawals: readonly WithdrawalInLedger[];
  readonly hasMore: boolean;
}

interface LedgerReader {
  listLedgerEntries(
    request: ListLedgerEntriesRequest,
    options?: CallOptions,
  ): Promise<ListLedgerEntriesAnswer>;
}

const type = "WITHDRAWAL_HOLD,WITHDRAWAL_PAID,WITHDRAWAL_RELEASE";
const limit = 100;

/**
 * The latest `count` withdrawals, newest first, from the entries of the ledger: each has a hold, and the entry of its
 * outcome when it is paid or rejected. The outcome is newer, so it is read before its hold.
 */
export async function readWithdrawalHistory(
  client: LedgerReader,
  count: number,
  options?: CallOptions,
): Promise<WithdrawalHistory> {
  const outcomes = new Map<string, LedgerEntry>();
  const withdrawals: WithdrawalInLedger[] = [];
  let after = "";
  let isLast = false;
  while (!isLast && withdrawals.length <= count) {
    const { entries } = await client.listLedgerEntries({ type, limit, after }, options);
    for (const entry of entries) {
      const { id } = entry.reference;
      if (entry.type === "WITHDRAWAL_HOLD") withdrawals.push(withdrawalOf(entry, outcomes.get(id)));
      else outcomes.set(id, entry);
    }
    after = entries.at(-1)?.id ?? "";
    isLast = entries.length < limit;
  }
  return { withdrawals: withdrawals.slice(0, count), hasMore: withdrawals.length > count };
}

function withdrawalOf(hold: LedgerEntry, outcome: LedgerEntry | undefined): WithdrawalInLedger {
  const asset = assetOfWithdrawal(hold) as WithdrawalInLedger["asset"] | undefined;
  return {
    id: hold.reference.id,
    requestedAt: hold.createdAt,
    usd: -hold.amountUsd,
    asset: asset ?? null,
    ...resultOf(outcome),
    resolvedAt: outcome?.createdAt ?? null,
  };
}

type Result = Pick<WithdrawalInLedger, "status" | "transactionId" | "reason">;

/** The wording of descriptions may change, so a reason that cannot be separated is the whole description. */
function resultOf(outcome: LedgerEntry | undefined): Result {
  if (outcome === undefined) return { status: "HELD", transactionId: null, reason: null };
  const { type: outcomeType, description } = outcome;
  if (outcomeType === "WITHDRAWAL_PAID") {
    const transactionId = /, paid\. Transaction (\S+)$/.exec(description)?.[1] ?? null;
    return { status: "PAID", transactionId, reason: null };
  }
  const reason = /^Withdrawal in [A-Z]+, rejected: (.+)$/s.exec(description)?.[1] ?? description;
  return { status: "REJECTED", transactionId: null, reason };
}
