import { acceptQuote } from "#server/features/servers/accept-quote.ts";
import { readServer } from "#server/features/servers/read-server.ts";
import { setDdosMode } from "#server/features/servers/set-ddos-mode.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import type { Core } from "#server/kernel/core.ts";
import type { DdosMode } from "#server/ports/schema.ts";
import { testClient } from "./core.ts";
import type { Queued } from "./desk.ts";
import { intentOf, valueOf } from "./use-cases.ts";
import { claimWork, offerQuote, readWork } from "./work.ts";

/** An operator claims the request and offers a quote. */
export async function offer(core: Core, by: OperatorCall, workId: string, quoteUsd: number) {
  await valueOf(claimWork(core, by, workId));
  return valueOf(offerQuote(core, by, { workId, quoteUsd }));
}

export function accept(core: Core, item: Queued, usd: number, key?: string) {
  const { accountId, subjectId: serverId } = item;
  const call = { accountId, client: testClient, intent: intentOf("acceptQuote", key) };
  return acceptQuote(core, call, { serverId, usd });
}

export function requestMode(core: Core, item: Queued, mode: DdosMode) {
  const { accountId, subjectId: serverId } = item;
  const call = { accountId, client: testClient, intent: intentOf("setDdosMode") };
  return setDdosMode(core, call, { serverId, mode });
}

/** What the customer sees of the quote, and what renewals include. */
export async function quoteOf(core: Core, { accountId, subjectId }: Queued) {
  const { record, ddos } = await valueOf(readServer(core, accountId, subjectId));
  return { ...ddos, quote: ddos.quote?.cents ?? null, ddosCents: record.ddosCents };
}

/** The server's latest request for a DDoS mode. */
export async function ddosWorkOf({ db }: Core, serverId: string): Promise<string> {
  const items = await db.read
    .selectFrom("work")
    .select("id")
    .where("server_id", "=", serverId)
    .where("kind", "=", "DDOS")
    .execute();
  return (
    items
      .map(({ id }) => id)
      .toSorted()
      .at(-1) ?? ""
  );
}

export async function stateOf(core: Core, workId: string): Promise<string> {
  return (await valueOf(readWork(core, workId))).state;
}

/** The charges of a server for ADVANCED, oldest first. */
export async function ddosChargesOf({ db }: Core, serverId: string): Promise<readonly number[]> {
  const rows = await db.read
    .selectFrom("journal")
    .select("amount_cents")
    .where("type", "=", "DDOS_CHARGE")
    .where("reference_kind", "=", "server")
    .where("reference_id", "=", serverId)
    .orderBy("sequence")
    .execute();
  return rows.map(({ amount_cents: cents }) => cents);
}
