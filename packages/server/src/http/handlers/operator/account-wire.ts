import { usdFromCents } from "@ironlease/contract";
import type { AccountSummary } from "../../../features/customers/account-summary.ts";
import type { HeldServer } from "../../../features/customers/held-server.ts";
import type { InspectedAccount } from "../../../features/customers/inspect-account.ts";
import type { DepositRecord } from "../../../features/deposits/list-deposits.ts";
import type { LedgerRecord } from "../../../features/ledger/read-ledger.ts";
import type { OrderRecord } from "../../../features/orders/list-orders.ts";
import { isoTime } from "../../../ports/clock.ts";
import { entryOnWire } from "../money.ts";

export function summaryOnWire(account: AccountSummary) {
  return {
    id: account.id,
    username: account.username,
    balanceUsd: usdFromCents(account.balanceCents),
    heldUsd: usdFromCents(account.heldCents),
    createdAt: isoTime(account.createdAt),
    frozen: account.frozenAt !== null,
  };
}

/** What the account lists itself, with what only operators see. */
interface Lists {
  readonly orders: readonly OrderRecord[];
  readonly deposits: readonly DepositRecord[];
  readonly ledger: LedgerRecord;
}

export function accountOnWire(account: InspectedAccount, { orders, deposits, ledger }: Lists) {
  const summary = summaryOnWire(account);
  return {
    ...summary,
    // Of the same instant as the entries below them.
    ...(ledger.entries.length > 0 && {
      balanceUsd: usdFromCents(ledger.balanceCents),
      heldUsd: usdFromCents(ledger.heldCents),
    }),
    frozenAt: timeOrNull(account.frozenAt),
    sessions: account.sessions,
    apiKeys: account.apiKeys,
    servers: account.servers.map(heldServerOnWire),
    orders: orders.map(orderOnWire),
    deposits: deposits.map(depositOnWire),
    withdrawals: account.withdrawals.map(({ cents, ...withdrawal }) => ({
      ...withdrawal,
      usd: usdFromCents(cents),
      createdAt: isoTime(withdrawal.createdAt),
      resolvedAt: timeOrNull(withdrawal.resolvedAt),
    })),
    ledger: ledger.entries.map(entryOnWire),
    audit: account.audit.map((entry) => ({ ...entry, at: isoTime(entry.at) })),
  };
}

export function serverOnWire(server: HeldServer) {
  return {
    id: server.id,
    orderId: server.orderId,
    configId: server.configId,
    osId: server.osId,
    hostname: server.hostname,
    state: server.state,
    region: server.region,
    term: server.term,
    priceUsd: usdFromCents(server.priceCents),
    paidThrough: timeOrNull(server.paidThrough),
    graceUntil: timeOrNull(server.graceUntil),
    autoRenew: server.autoRenew === 1,
    ddosMode: server.ddosMode,
    createdAt: isoTime(server.createdAt),
  };
}

function heldServerOnWire(server: HeldServer) {
  const { machineId, ddosRequestedMode, ddosQuoteCents } = server;
  const ddosQuoteUsd = ddosQuoteCents === null ? null : usdFromCents(ddosQuoteCents);
  return { ...serverOnWire(server), machineId, ddosRequestedMode, ddosQuoteUsd };
}

function orderOnWire({ totalCents, serverIds, ...order }: OrderRecord) {
  return {
    ...order,
    status: "ACCEPTED" as const,
    totalUsd: usdFromCents(totalCents),
    createdAt: isoTime(order.createdAt),
    serverIds: [...serverIds],
  };
}

function depositOnWire({ usdCents, ...deposit }: DepositRecord) {
  return {
    ...deposit,
    usd: usdCents === null ? null : usdFromCents(usdCents),
    seenAt: isoTime(deposit.seenAt),
    creditedAt: timeOrNull(deposit.creditedAt),
  };
}

function timeOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : isoTime(epochMs);
}
