import type { Core } from "#server/kernel/core.ts";
import { ok } from "#server/kernel/result.ts";
import type { DdosMode } from "#server/ports/schema.ts";

/** A server's DDoS modes, and the modes of its open work items. */
export async function ddosStateOf({ db }: Core, serverId: string) {
  const server = await db.read
    .selectFrom("servers")
    .select(["ddos_mode as mode", "ddos_requested_mode as requestedMode"])
    .where("id", "=", serverId)
    .executeTakeFirstOrThrow();
  const work = await db.read
    .selectFrom("work")
    .innerJoin("ddos_requests", "ddos_requests.id", "work.ddos_request_id")
    .select("ddos_requests.mode")
    .where("work.server_id", "=", serverId)
    .where("work.state", "in", ["OPEN", "CLAIMED"])
    .execute();
  return { ...server, living: work.map(({ mode }) => mode) };
}

/** Claims the open item of a server, if there is one. */
export async function claimDdosWork(core: Core, serverId: string): Promise<void> {
  await core.db.write(async (tx) => {
    await tx
      .updateTable("work")
      .set({
        state: "CLAIMED",
        claimed_by: "opr_test",
        lease_until: core.clock.now() + 30 * 60_000,
      })
      .where("server_id", "=", serverId)
      .where("kind", "=", "DDOS")
      .where("state", "=", "OPEN")
      .execute();
    return ok();
  });
}

/** Completes or fails the open item of a server, if there is one, with the effect that the contract specifies. */
export async function endDdosWork(
  core: Core,
  serverId: string,
  state: "DONE" | "FAILED",
): Promise<void> {
  await core.db.write(async (tx) => {
    const server = await tx
      .selectFrom("servers")
      .select(["ddos_mode", "ddos_requested_mode", "ddos_quote_accepted"])
      .where("id", "=", serverId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (server.ddos_requested_mode === null) return ok();
    await tx
      .updateTable("work")
      .set({ state, ended_at: core.clock.now() })
      .where("server_id", "=", serverId)
      .where("kind", "=", "DDOS")
      .where("state", "in", ["OPEN", "CLAIMED"])
      .execute();
    const mode: DdosMode = state === "DONE" ? server.ddos_requested_mode : server.ddos_mode;
    await tx
      .updateTable("servers")
      .set({
        ddos_mode: mode,
        ddos_requested_mode: null,
        ddos_quote_accepted: mode === "ADVANCED" ? 1 : server.ddos_quote_accepted,
      })
      .where("id", "=", serverId)
      .execute();
    return ok();
  });
}
