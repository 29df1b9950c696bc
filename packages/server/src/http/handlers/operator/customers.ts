import { addAccountNote } from "#features/customers/account-notes.ts";
import { adjustBalance } from "#features/customers/adjust-balance.ts";
import { findAccounts } from "#features/customers/find-accounts.ts";
import { freezeAccount, unfreezeAccount } from "#features/customers/freeze-account.ts";
import { inspectAccount } from "#features/customers/inspect-account.ts";
import { resumeServer, suspendServer } from "#features/customers/suspend-server.ts";
import { listDeposits } from "#features/deposits/list-deposits.ts";
import { readLedger } from "#features/ledger/read-ledger.ts";
import { listOrders } from "#features/orders/list-orders.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { serverOnWire } from "#http/handlers/servers.ts";
import { accountOnWire, summaryOnWire } from "./customer-wire.ts";

type Customers =
  | "listAccounts"
  | "inspectAccount"
  | "adjustBalance"
  | "freezeAccount"
  | "unfreezeAccount"
  | "suspendServer"
  | "resumeServer"
  | "addAccountNote";

export function customerHandlers(core: Core): Handlers<Customers> {
  return {
    listAccounts: async ({ query }) => {
      const accounts = await findAccounts(core, query);
      return ok({ status: 200, body: { accounts: accounts.map(summaryOnWire) } });
    },
    inspectAccount: async ({ parameters: { id } }) => {
      const account = await inspectAccount(core, id);
      if (!account.ok) return account;
      // Read by the same functions as the customer's own lists.
      const [orders, deposits, ledger] = await Promise.all([
        listOrders(core, id),
        listDeposits(core, id),
        readLedger(core, id),
      ]);
      const body = accountOnWire(account.value, { orders, deposits, ledger });
      return ok({ status: 200, body });
    },
    adjustBalance: async ({ core, caller, parameters, body }) => {
      const result = await adjustBalance(core, caller, { ...body, accountId: parameters.id });
      return result.ok ? ok({ ...result.value, status: 201 }) : result;
    },
    addAccountNote: async ({ core, caller, parameters, body }) => {
      const result = await addAccountNote(core, caller, { ...body, accountId: parameters.id });
      return result.ok ? ok({ ...result.value, status: 201 }) : result;
    },
    freezeAccount: async ({ core, caller, parameters, body }) => {
      const result = await freezeAccount(core, caller, { ...body, accountId: parameters.id });
      return result.ok ? ok({ status: 200, body: summaryOnWire(result.value) }) : result;
    },
    unfreezeAccount: async ({ core, caller, parameters, body }) => {
      const result = await unfreezeAccount(core, caller, { ...body, accountId: parameters.id });
      return result.ok ? ok({ status: 200, body: summaryOnWire(result.value) }) : result;
    },
    suspendServer: async ({ core, caller, parameters, body }) => {
      const result = await suspendServer(core, caller, { ...body, serverId: parameters.id });
      return result.ok ? ok({ status: 200, body: serverOnWire(result.value) }) : result;
    },
    resumeServer: async ({ core, caller, parameters, body }) => {
      const result = await resumeServer(core, caller, { ...body, serverId: parameters.id });
      return result.ok ? ok({ status: 200, body: serverOnWire(result.value) }) : result;
    },
  };
}
