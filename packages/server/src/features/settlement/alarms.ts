import { usdFromCents } from "@ironlease/contract";
import { isoTime } from "#kernel/iso-time.ts";
import type { AddressHolding } from "./address-holdings.ts";
import type { Chain } from "#ports/settlement.ts";

/** Something that needs an operator. It ends by itself when its cause does. */
export interface SettlementAlarm {
  /** The same while the alarm lasts. */
  readonly id: string;
  readonly kind:
    | "LOST_AFTER_CREDIT"
    | "DEPOSIT_TO_CLOSED_ACCOUNT"
    | "CHAIN_UNAVAILABLE"
    | "CHAIN_LAGGING"
    | "UNEXPLAINED_BALANCE"
    | "PAYOUT_FAILED"
    | "PAYOUT_REFUSED";
  readonly network: string;
  readonly transactionId: string | null;
  readonly detail: string;
  readonly at: number;
}

/** A credited payment that no longer has its confirmations. */
export interface LostPayment {
  readonly id: string;
  readonly network: string;
  readonly transactionId: string;
  readonly asset: string;
  readonly amount: string;
  readonly accountId: string;
  readonly username: string;
  readonly lostAt: number;
}

export function lostAlarm(lost: LostPayment): SettlementAlarm {
  const { id, network, transactionId, asset, amount, accountId, username, lostAt } = lost;
  return {
    id,
    kind: "LOST_AFTER_CREDIT",
    network,
    transactionId,
    detail: `The network no longer confirms ${amount} ${asset} that was credited to ${username} (${accountId}). Check the transaction, then adjust the balance if needed.`,
    at: lostAt,
  };
}

/** A credit to an account that its customer has closed. */
export interface LateDeposit {
  readonly id: string;
  readonly network: string;
  readonly transactionId: string;
  readonly asset: string;
  readonly amount: string;
  readonly usdCents: number;
  readonly accountId: string;
  readonly creditedAt: number;
}

export function lateDepositAlarm(late: LateDeposit): SettlementAlarm {
  const { id, network, transactionId, asset, amount, usdCents, accountId, creditedAt } = late;
  const usd = usdFromCents(usdCents).toFixed(2);
  return {
    id,
    kind: "DEPOSIT_TO_CLOSED_ACCOUNT",
    network,
    transactionId,
    detail: `${amount} ${asset} (${usd} USD) was paid to the closed account ${accountId}. Return it to the sender, then debit the balance.`,
    at: creditedAt,
  };
}

/** An address that holds more than the service has seen. */
export function unexplainedAlarm(
  network: string,
  { address, asset, units, recordedUnits, accountId, username }: AddressHolding,
  now: number,
): SettlementAlarm {
  const kind = "UNEXPLAINED_BALANCE";
  return {
    id: `${kind}/${network}/${address}/${asset}`,
    kind,
    network,
    transactionId: null,
    detail: `${address} of ${username} (${accountId}) holds ${units - recordedUnits} units of ${asset} more than its deposits. The node did not report the payment. Find it in a block explorer, then adjust the balance.`,
    at: now,
  };
}

export function chainAlarms(
  chain: Pick<Chain, "network" | "maxLagMs">,
  { error, scannedAt }: { readonly error: string | null; readonly scannedAt: number | null },
  now: number,
): readonly SettlementAlarm[] {
  const { network, maxLagMs } = chain;
  const alarms: SettlementAlarm[] = [];
  const add = (kind: SettlementAlarm["kind"], detail: string, at: number) =>
    alarms.push({ id: `${kind}/${network}`, kind, network, transactionId: null, detail, at });
  if (error !== null) add("CHAIN_UNAVAILABLE", error, now);
  if (maxLagMs === undefined) return alarms;
  if (scannedAt === null) {
    add("CHAIN_LAGGING", `${network} has not been scanned to its end yet.`, now);
  } else if (now - scannedAt > maxLagMs) {
    const last = isoTime(scannedAt);
    const detail = `The last scan of ${network} was at ${last}. No deposit address is issued until the next one.`;
    add("CHAIN_LAGGING", detail, scannedAt + maxLagMs);
  }
  return alarms;
}

/** A payout that failed or that the node refuses. */
export interface TroubledPayout {
  readonly id: string;
  readonly network: string;
  readonly state: string;
  readonly transactionId: string | null;
  readonly error: string | null;
  readonly broadcastAt: number | null;
  readonly endedAt: number | null;
}

export function payoutAlarm(payout: TroubledPayout): SettlementAlarm {
  const { id, network, transactionId, error, broadcastAt, endedAt } = payout;
  const hasFailed = payout.state === "FAILED";
  return {
    id,
    kind: hasFailed ? "PAYOUT_FAILED" : "PAYOUT_REFUSED",
    network,
    transactionId,
    detail: hasFailed
      ? `Payout ${id} failed: ${error ?? ""} Its withdrawals are booked as paid. Check whether the customers were paid, then adjust their balances if needed.`
      : `The node does not accept payout ${id}: ${error ?? ""}. The service keeps trying.`,
    at: endedAt ?? broadcastAt ?? 0,
  };
}
