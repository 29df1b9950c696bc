import { limits, usdFromCents } from "@ironlease/contract";
import { findEntry } from "#features/ledger/find-entry.ts";
import { listEntries } from "#features/ledger/list-entries.ts";
import { readLedger, type LedgerRecord } from "#features/ledger/read-ledger.ts";
import type { HashedEntry } from "#features/ledger/select-entries.ts";
import type { Core } from "#kernel/core.ts";
import { entryOnWire as hashedOnWire, type LedgerType } from "#kernel/ledger-entry.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { readPeriod } from "#http/wire/period.ts";

export function ledgerHandlers(
  core: Core,
): Handlers<"readLedger" | "listLedgerEntries" | "readLedgerEntry"> {
  return {
    readLedger: async ({ account }) => {
      const ledger = await readLedger(core, account.accountId);
      return ok({ status: 200, body: ledgerOnWire(ledger) });
    },
    listLedgerEntries: async ({ account, query }) => {
      const { limit = limits.listLength, after, type, reference } = query;
      const period = readPeriod(query);
      if (!period.ok) return period;
      const entries = await listEntries(core, account.accountId, {
        ...period.value,
        after: after === "" ? undefined : after,
        types: type === undefined ? undefined : (type.split(",") as LedgerType[]),
        reference,
      });
      const page = entries.slice(0, Number(limit)).map(entryOnWire);
      return ok({ status: 200, body: { entries: page } });
    },
    readLedgerEntry: async ({ account, parameters }) => {
      const entry = await findEntry(core, account.accountId, parameters.id);
      return entry.ok ? ok({ status: 200, body: entryOnWire(entry.value) }) : entry;
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

export function entryOnWire({ hash, ...entry }: HashedEntry) {
  return { ...hashedOnWire(entry), hash };
}
