import { usdFromCents } from "@ironlease/contract";
import { readLedger, type LedgerRecord } from "#features/ledger/read-ledger.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function ledgerHandlers(core: Core): Handlers<"readLedger"> {
  return {
    readLedger: async ({ account }) => {
      const ledger = await readLedger(core, account.accountId);
      return ok({ status: 200, body: ledgerOnWire(ledger) });
    },
  };
}

function ledgerOnWire({ balanceCents, heldCents, entries }: LedgerRecord) {
  return {
    balanceUsd: usdFromCents(balanceCents),
    heldUsd: usdFromCents(heldCents),
    entries: entries.map(entryOnWire),
  };
}

export function entryOnWire(entry: LedgerRecord["entries"][number]) {
  return {
    id: entry.id,
    createdAt: isoTime(entry.createdAt),
    // The journal names the movement, the ledger what it means to the customer.
    type: entry.type === "WITHDRAWAL_PAYOUT" ? ("WITHDRAWAL_PAID" as const) : entry.type,
    amountUsd: usdFromCents(entry.amountCents),
    balanceAfterUsd: usdFromCents(entry.balanceAfterCents),
    description: entry.description,
    reference: { kind: entry.referenceKind, id: entry.referenceId },
  };
}
