import { usdFromCents } from "@ironlease/contract";
import { readLedger, type LedgerRecord } from "#features/ledger/read-ledger.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#ports/clock.ts";
import type { Handlers } from "#http/bind.ts";
import { KeptBodies } from "#http/kept-bodies.ts";

export function ledgerHandlers(core: Core): Handlers<"readLedger"> {
  const ledgers = new KeptBodies<ReturnType<typeof ledgerOnWire>>();
  return {
    readLedger: ({ account }) =>
      ledgers.answer(account, async (accountId) => ledgerOnWire(await readLedger(core, accountId))),
  };
}

function ledgerOnWire({ balanceCents, heldCents, entries }: LedgerRecord) {
  return {
    balanceUsd: usdFromCents(balanceCents),
    heldUsd: usdFromCents(heldCents),
    entries: entries.map(entryOnWire),
  };
}

/** An entry as its owner and the operators see it. */
export function entryOnWire(entry: LedgerRecord["entries"][number]) {
  return {
    id: entry.id,
    createdAt: isoTime(entry.createdAt),
    type: entry.type,
    amountUsd: usdFromCents(entry.amountCents),
    balanceAfterUsd: usdFromCents(entry.balanceAfterCents),
    description: entry.description,
    reference: { kind: entry.referenceKind, id: entry.referenceId },
  };
}
