import { assignAddresses } from "#kernel/addresses.ts";
import type { TxScope } from "#kernel/call.ts";
import { assignMachine } from "#kernel/inventory.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { recordEvent } from "#kernel/outbox/record-event.ts";
import { activateServer } from "#kernel/server-states.ts";
import { termMs } from "#kernel/terms.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { defaultHostname, readHostname } from "#kernel/server-hostname.ts";

export interface ProvisionedServer {
  readonly serverId: string;
  readonly hostname: string;
  readonly addresses: readonly string[];
  readonly paidThrough: number;
  readonly graceUntil: number;
}

/**
 * Delivers a server: activates it on its reserved machine, assigns addresses of its region and starts its paid term
 * now. Locks server, machine and the region's subnets in that order.
 */
export async function provisionServer(
  scope: TxScope,
  input: { readonly serverId: string; readonly hostname?: string | undefined },
): Promise<Result<ProvisionedServer>> {
  const { tx, core } = scope;
  const { serverId } = input;
  const named = readHostname(input.hostname ?? defaultHostname(serverId));
  if (!named.ok) return named;
  const hostname = named.value;
  // These columns never change. The state does, so the next statement checks it.
  const server = await tx
    .selectFrom("servers")
    .select(["account_id", "region_id", "machine_id", "term"])
    .where("id", "=", serverId)
    .executeTakeFirst();
  if (server === undefined) return refuse("not_found");
  const paidThrough = core.clock.now() + termMs[server.term];
  const graceUntil = paidThrough + core.rules.graceMs;

  if (!(await activateServer(tx, serverId, { hostname, paidThrough, graceUntil }))) {
    return refuse("conflict", { message: "The server has been delivered or has ended already." });
  }
  const assigned = await assignMachine(tx, server.machine_id);
  if (!assigned.ok) return assigned;
  const addresses = await assignAddresses(scope, {
    serverId,
    accountId: server.account_id,
    regionId: server.region_id,
  });
  if (!addresses.ok) return addresses;
  await recordEvent(scope, {
    accountId: server.account_id,
    type: "server.active",
    data: { serverId, hostname, paidThrough: isoTime(paidThrough) },
  });
  return ok({ serverId, hostname, addresses: addresses.value, paidThrough, graceUntil });
}
