import { usdFromCents } from "@ironlease/contract";
import type { AccountSummary } from "#features/customers/account-summary.ts";
import type { OperatorServer } from "#features/customers/operator-server.ts";
import type { InspectedAccount } from "#features/customers/inspect-account.ts";
import type { DepositRecord } from "#features/deposits/list-deposits.ts";
import type { LedgerRecord } from "#features/ledger/read-ledger.ts";
import type { OrderRecord } from "#features/orders/list-orders.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { depositOnWire } from "#http/handlers/deposits.ts";
import { entryOnWire } from "#http/handlers/ledger.ts";
import { orderOnWire } from "#http/handlers/orders.ts";
import { serverOnWire } from "#http/handlers/servers.ts";
import { withdrawalOnWire } from "#http/handlers/withdrawals.ts";
import { auditOnWire } from "./audit.ts";

export function summaryOnWire(account: AccountSummary) {
  return {
    id: account.id,
    username: account.username,
    balanceUsd: usdFromCents(account.balanceCents),
    heldUsd: usdFromCents(account.heldCents),
    createdAt: isoTime(account.createdAt),
    frozen: account.frozenAt !== null,
    closedAt: isoTimeOrNull(account.closedAt),
  };
}

/** Lists that the customer sees as well. */
interface Lists {
  readonly orders: readonly OrderRecord[];
  readonly deposits: readonly DepositRecord[];
  readonly ledger: LedgerRecord;
}

export function accountOnWire(account: InspectedAccount, { orders, deposits, ledger }: Lists) {
  const summary = summaryOnWire(account);
  return {
    ...summary,
    // The ledger's balances match its entries. The summary's were read at another moment.
    ...(ledger.entries.length > 0 && {
      balanceUsd: usdFromCents(ledger.balanceCents),
      heldUsd: usdFromCents(ledger.heldCents),
    }),
    frozenAt: isoTimeOrNull(account.frozenAt),
    frozenReason: account.frozenReason,
    sessions: account.sessions,
    apiKeys: account.apiKeys,
    servers: account.servers.map(operatorServerOnWire),
    orders: orders.map(orderOnWire),
    deposits: deposits.map(depositOnWire),
    withdrawals: account.withdrawals.map(withdrawalOnWire),
    ledger: ledger.entries.map(entryOnWire),
    audit: account.audit.map(auditOnWire),
  };
}

export function operatorServerOnWire(server: OperatorServer) {
  const { machineId, ddosRequestedMode, ddosQuoteCents } = server;
  const ddosQuoteUsd = ddosQuoteCents === null ? null : usdFromCents(ddosQuoteCents);
  return { ...serverOnWire(server), machineId, ddosRequestedMode, ddosQuoteUsd };
}
