import type { Tx } from "#ports/db.ts";
import { prepared } from "./sql/prepared.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "./result.ts";
import type { DdosMode, ServerState } from "#ports/schema.ts";

/** The fields on which decisions about a server's hardware and settings depend. */
export interface LockedServer {
  readonly id: string;
  readonly state: ServerState;
  readonly orderId: string;
  readonly osId: string;
  readonly hostname: string | null;
  readonly machineId: string;
  readonly ddosMode: DdosMode;
  readonly ddosRequestedMode: DdosMode | null;
  readonly ddosQuoteAccepted: number;
  readonly ddosOfferCents: number | null;
  readonly ddosOfferAcceptedAt: number | null;
}

const lockRow = prepared(
  ["accountId", "serverId"],
  (db, { accountId, serverId }: { accountId: string; serverId: string }) =>
    db
      .selectFrom("servers")
      .select([
        "id",
        "state",
        "order_id as orderId",
        "os_id as osId",
        "hostname",
        "machine_id as machineId",
        "ddos_mode as ddosMode",
        "ddos_requested_mode as ddosRequestedMode",
        "ddos_quote_accepted as ddosQuoteAccepted",
        "ddos_offer_cents as ddosOfferCents",
        "ddos_offer_accepted_at as ddosOfferAcceptedAt",
      ])
      .where("id", "=", serverId)
      .where("account_id", "=", accountId)
      .where("state", "<>", "TERMINATED")
      .forUpdate(),
);

/**
 * Locks one of the account's own servers, so that it cannot be terminated between a check and what follows. Another
 * account's, an unknown and a terminated server are all `not_found`. The server's row is locked before its work items
 * and idempotency keys.
 */
export async function lockServer(
  tx: Tx,
  accountId: string,
  serverId: string,
): Promise<Result<LockedServer>> {
  const [server] = await lockRow(tx, { accountId, serverId });
  return server === undefined ? refuse("not_found") : ok(server);
}

type Quoted = Pick<LockedServer, "ddosQuoteAccepted" | "ddosOfferCents" | "ddosOfferAcceptedAt">;

/** ADVANCED needs a quote until the customer has accepted one, and always the one on offer. BASELINE never does. */
export function needsQuote(mode: DdosMode, quoted: Quoted): boolean {
  if (mode !== "ADVANCED") return false;
  const { ddosQuoteAccepted, ddosOfferCents, ddosOfferAcceptedAt } = quoted;
  return ddosOfferCents === null ? ddosQuoteAccepted !== 1 : ddosOfferAcceptedAt === null;
}
