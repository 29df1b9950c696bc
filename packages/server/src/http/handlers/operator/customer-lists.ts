import { listAccountNotes, type AccountNote } from "#features/customers/account-notes.ts";
import { readAccountAudit } from "#features/customers/account-audit.ts";
import {
  listAccountServers,
  listAccountWithdrawals,
  requireAccount,
} from "#features/customers/account-lists.ts";
import { listDeposits } from "#features/deposits/list-deposits.ts";
import { listEntries } from "#features/ledger/list-entries.ts";
import { listOrders } from "#features/orders/list-orders.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { depositOnWire } from "#http/handlers/deposits.ts";
import { entryOnWire } from "#http/handlers/ledger.ts";
import { orderOnWire } from "#http/handlers/orders.ts";
import { withdrawalOnWire } from "#http/handlers/withdrawals.ts";
import { auditOnWire } from "./audit.ts";
import { operatorServerOnWire } from "./customer-wire.ts";

type CustomerLists =
  | "listAccountServers"
  | "listAccountOrders"
  | "listAccountDeposits"
  | "listAccountWithdrawals"
  | "listAccountLedger"
  | "listAccountAudit"
  | "listAccountNotes";

interface PageRequest {
  readonly parameters: { readonly id: string };
  readonly query: { readonly after?: string };
}

/** The lists of one account, page by page. */
export function customerListHandlers(core: Core): Handlers<CustomerLists> {
  const page =
    <Body>(read: (accountId: string, after: string | undefined) => Promise<Body>) =>
    async ({ parameters: { id }, query }: PageRequest): Promise<Result<Page<Body>>> => {
      const account = await requireAccount(core, id);
      if (!account.ok) return account;
      const after = query.after === "" ? undefined : query.after;
      return ok({ status: 200, body: await read(id, after) });
    };
  return {
    listAccountServers: page(async (id, after) => ({
      servers: (await listAccountServers(core, id, after)).map(operatorServerOnWire),
    })),
    listAccountOrders: page(async (id, after) => ({
      orders: (await listOrders(core, id, after)).map(orderOnWire),
    })),
    listAccountDeposits: page(async (id, after) => ({
      deposits: (await listDeposits(core, id, after)).map(depositOnWire),
    })),
    listAccountWithdrawals: page(async (id, after) => ({
      withdrawals: (await listAccountWithdrawals(core, id, after)).map(withdrawalOnWire),
    })),
    listAccountLedger: page(async (id, after) => ({
      entries: (await listEntries(core, id, { after })).map(entryOnWire),
    })),
    listAccountNotes: page(async (id, after) => ({
      notes: (await listAccountNotes(core, id, after)).map(noteOnWire),
    })),
    listAccountAudit: page(async (id, after) => ({
      entries: (await readAccountAudit(core, id, after)).map(auditOnWire),
    })),
  };
}

function noteOnWire({ createdAt, ...note }: AccountNote) {
  return { ...note, createdAt: isoTime(createdAt) };
}

interface Page<Body> {
  readonly status: 200;
  readonly body: Body;
}
