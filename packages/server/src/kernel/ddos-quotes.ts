import type { Tx } from "#ports/db.ts";
import type { DdosMode } from "#ports/schema.ts";
import { noDdosRequest, withRequestedMode, type OwnServer } from "./server-states.ts";

/** The price of DDoS mode ADVANCED on a server: offered, accepted, applied. The transaction holds the server's row. */

interface DdosOffer {
  readonly cents: number;
  readonly offeredAt: number;
  readonly expiresAt: number;
}

/** Offers the customer a price per term for the requested ADVANCED. False once they have accepted one. */
export async function offerDdosQuote(
  tx: Tx,
  serverId: string,
  { cents, offeredAt, expiresAt }: DdosOffer,
): Promise<boolean> {
  const { numUpdatedRows } = await withRequestedMode(tx, serverId, "ADVANCED")
    .set({
      ddos_offer_cents: cents,
      ddos_offered_at: offeredAt,
      ddos_offer_expires_at: expiresAt,
    })
    .where("ddos_offer_accepted_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The customer accepts exactly this price. False when the offer is another one or has expired. */
export async function acceptDdosQuote(
  tx: Tx,
  { accountId, serverId }: OwnServer,
  { cents, now }: { readonly cents: number; readonly now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await withRequestedMode(tx, serverId, "ADVANCED")
    .set({ ddos_offer_accepted_at: now })
    .where("account_id", "=", accountId)
    .where("ddos_offer_cents", "=", cents)
    .where("ddos_offer_expires_at", ">", now)
    .where("ddos_offer_accepted_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** What the customer agreed to pay for ADVANCED. Undefined when an operator named no amount. */
interface AppliedMode {
  readonly mode: DdosMode;
  readonly quoteCents: number | undefined;
}

/** Applies the requested mode and its price. ADVANCED implies that the customer accepted the quote. */
export async function applyRequestedDdosMode(
  tx: Tx,
  serverId: string,
  { mode, quoteCents }: AppliedMode,
): Promise<boolean> {
  const { numUpdatedRows } = await withRequestedMode(tx, serverId, mode)
    .set({
      ...noDdosRequest,
      ddos_mode: mode,
      ddos_cents: quoteCents ?? 0,
      ...(mode === "ADVANCED" && { ddos_quote_accepted: 1 }),
      ...(quoteCents !== undefined && { ddos_quote_cents: quoteCents }),
    })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
