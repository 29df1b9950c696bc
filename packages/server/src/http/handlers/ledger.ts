import { usdFromCents } from "@ironlease/contract";
import { readLedger, type LedgerRecord } from "#features/ledger/read-ledger.ts";
import type { Core } from "#kernel/core.ts";
import { entryOnWire as hashedOnWire } from "#kernel/ledger-entry.ts";
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

export function entryOnWire({ hash, ...entry }: LedgerRecord["entries"][number]) {
  return { ...hashedOnWire(entry), hash };
}
