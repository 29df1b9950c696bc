import { needsQuote } from "#kernel/account-servers.ts";
import { assignmentColumns, type AssignmentRecord } from "#kernel/assignment-record.ts";
import type { Core } from "#kernel/core.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import { serverTopicOf } from "#kernel/threads.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { DdosMode } from "#ports/schema.ts";
import { recordColumns, type ServerRecord } from "./server-record.ts";

export interface ServerDetail {
  readonly record: ServerRecord;
  readonly assignments: readonly AssignmentRecord[];
  readonly ddos: {
    readonly mode: DdosMode;
    readonly requestedMode: DdosMode | null;
    /** For the last requested mode, like the answer to that request. */
    readonly quoteRequired: boolean;
    /** The operator's offer for ADVANCED, until it is applied, withdrawn or expires. */
    readonly quote: {
      readonly cents: number;
      readonly offeredAt: number;
      readonly expiresAt: number;
    } | null;
  };
  /** Undefined before the first message. */
  readonly thread: { readonly id: string; readonly unread: number } | undefined;
}

/** Far more than the assignments of one machine. */
const maxAssignments = 1_000;

type OneServer = { accountId: string; serverId: string };

const selectServer = prepared(["accountId", "serverId"], (db, { accountId, serverId }: OneServer) =>
  db
    .selectFrom("servers")
    .select(recordColumns)
    .select(["ddos_requested_mode as requestedMode", "ddos_quote_accepted as ddosQuoteAccepted"])
    .select(["ddos_offer_cents as ddosOfferCents", "ddos_offered_at as offeredAt"])
    .select(["ddos_offer_expires_at as expiresAt", "ddos_offer_accepted_at as ddosOfferAcceptedAt"])
    .where("id", "=", serverId)
    .where("account_id", "=", accountId)
    .where("state", "<>", "TERMINATED"),
);

/** The conditions are on the server, because conditions on the assignments would scan all of the account's. */
const selectAssignments = prepared(
  ["accountId", "serverId"],
  (db, { accountId, serverId }: OneServer) =>
    db
      .selectFrom("assignments")
      .innerJoin("servers", "servers.id", "assignments.server_id")
      .leftJoin("published_ptrs", "published_ptrs.address", "assignments.address")
      .select(assignmentColumns)
      .where("servers.id", "=", serverId)
      .where("servers.account_id", "=", accountId)
      .where("assignments.released_at", "is", null)
      .orderBy("assignments.created_at")
      .orderBy("assignments.id")
      .limit(maxAssignments),
);

const selectThread = prepared(
  ["accountId", "topic"],
  (db, { accountId, topic }: { accountId: string; topic: string }) =>
    db
      .selectFrom("threads")
      .select(["id", "customer_unread as unread"])
      .where("topic", "=", topic)
      .where("account_id", "=", accountId),
);

/** One of the account's own current servers, with its addresses, DDoS setting and thread, in three queries. */
export async function readServer(
  core: Core,
  accountId: string,
  serverId: string,
): Promise<Result<ServerDetail>> {
  const [found] = await selectServer(core.db.read, { accountId, serverId });
  if (found === undefined) return refuse("not_found");
  const [assignments, [thread]] = await Promise.all([
    selectAssignments(core.db.read, { accountId, serverId }),
    selectThread(core.db.read, { accountId, topic: serverTopicOf(serverId) }),
  ]);
  const { requestedMode, offer, ...record } = splitOffer(found);
  const mode = record.ddosMode;
  const quoteRequired = needsQuote(requestedMode ?? mode, offer);
  const quote = quoteOf(offer, core.clock.now());
  return ok({ record, assignments, ddos: { mode, requestedMode, quoteRequired, quote }, thread });
}

type FoundServer = Awaited<ReturnType<typeof selectServer>>[number];

function splitOffer(found: FoundServer) {
  const {
    ddosQuoteAccepted,
    ddosOfferCents,
    offeredAt,
    expiresAt,
    ddosOfferAcceptedAt,
    ...server
  } = found;
  const offer = { ddosQuoteAccepted, ddosOfferCents, offeredAt, expiresAt, ddosOfferAcceptedAt };
  return { ...server, offer };
}

/** An expired quote is no longer shown, even before the renewals pass withdraws it. An accepted one never expires. */
function quoteOf(
  {
    ddosOfferCents: cents,
    offeredAt,
    expiresAt,
    ddosOfferAcceptedAt,
  }: ReturnType<typeof splitOffer>["offer"],
  now: number,
): ServerDetail["ddos"]["quote"] {
  if (cents === null || offeredAt === null || expiresAt === null) return null;
  const hasExpired = ddosOfferAcceptedAt === null && expiresAt <= now;
  return hasExpired ? null : { cents, offeredAt, expiresAt };
}
