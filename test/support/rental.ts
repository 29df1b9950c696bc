import assert from "node:assert/strict";
import { verifyInvariants } from "#server/features/verification/verify-invariants.ts";
import { releaseAddresses } from "#server/kernel/addresses.ts";
import type { Core } from "#server/kernel/core.ts";
import { reserveMachines } from "#server/kernel/inventory.ts";
import { cancelServerWork } from "#server/kernel/work-queue/cancelled-work.ts";
import { queueWork } from "#server/kernel/work-queue/items.ts";
import type { Db, Tx } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import type { Result } from "#server/ports/result.ts";
import type { DdosMode, MachineState, ServerState, Term } from "#server/ports/schema.ts";
import {
  addAddresses,
  addMachine,
  addOrder,
  seedDefaults,
  type MachineSeed,
} from "./rental-rows.ts";

/** A server in any state, without going through the order, the work queue and the clock. */
export interface ServerSeed {
  readonly state?: ServerState;
  readonly configId?: string;
  readonly regionId?: string;
  readonly osId?: string;
  readonly term?: Term;
  readonly priceCents?: number;
  readonly autoRenew?: boolean;
  readonly ddosMode?: DdosMode;
  /** Always true for ADVANCED, which cannot be reached otherwise. */
  readonly ddosQuoteAccepted?: boolean;
  readonly sshPublicKey?: string;
  /** Sets of an IPv4 address and an IPv6 prefix: one by default, none before delivery. */
  readonly addressSets?: number;
}

export interface SeededServer {
  readonly id: string;
  readonly orderId: string;
  readonly machineId: string;
  /** IPv4 and IPv6 alternate. */
  readonly assignmentIds: readonly string[];
}

const dayMs = 24 * 3_600_000;
const termMs = { weekly: 7 * dayMs, monthly: 30 * dayMs } as const;

export async function seedMachine(core: Core, seed: MachineSeed = {}): Promise<string> {
  return committed(core, (tx) => addMachine(tx, core, seed));
}

/** The server, its charged order, its machine, its addresses and its work. */
export async function seedServer(
  core: Core,
  accountId: string,
  seed: ServerSeed = {},
): Promise<SeededServer> {
  const { configId, regionId, osId } = { ...seedDefaults, ...seed };
  const { state = "ACTIVE", term = "monthly", priceCents = 9_900, ddosMode = "BASELINE" } = seed;
  const isDelivered = state !== "PROVISIONING";
  const now = core.clock.now();
  const paidThrough = now + paidForMs(core, state, term);
  const offer = { config_id: configId, region_id: regionId, os_id: osId, term };
  return committed(core, async (tx) => {
    const orderId = await addOrder(tx, core, accountId, {
      ...offer,
      total_cents: priceCents,
      ssh_public_key: seed.sshPublicKey ?? null,
    });
    const machine = { configId, regionId, state: machineStates[state] };
    const machineId = await addMachine(tx, core, machine);
    const id = core.ids.next("server");
    await countServers(tx, { configId, regionId }, 1);
    await tx
      .insertInto("servers")
      .values({
        id,
        account_id: accountId,
        order_id: orderId,
        ...offer,
        hostname: isDelivered ? `${id.replace("_", "-")}.example.com` : null,
        state,
        price_cents: priceCents,
        paid_through: isDelivered ? paidThrough : null,
        grace_until: isDelivered ? paidThrough + core.rules.graceMs : null,
        auto_renew: seed.autoRenew === false ? 0 : 1,
        ddos_mode: ddosMode,
        ddos_requested_mode: null,
        ddos_quote_accepted: ddosMode === "ADVANCED" || seed.ddosQuoteAccepted === true ? 1 : 0,
        machine_id: machineId,
        created_at: now,
        ended_at: state === "TERMINATED" ? now : null,
        ...suspensionIn(core, state),
      })
      .execute();
    const provision = { kind: "PROVISION", accountId, orderId, serverId: id } as const;
    await queueWork({ tx, core }, [{ ...provision, detail: { machineId } }]);
    if (isDelivered) await finishProvisioning(tx, core, id);
    const recipient = { accountId, serverId: id, regionId };
    const sets = isDelivered ? (seed.addressSets ?? 1) : 0;
    const assignmentIds = await addAddresses(tx, core, recipient, sets);
    const seeded = { id, orderId, machineId, assignmentIds };
    if (state === "TERMINATED") await cleanUp(tx, core, accountId, seeded);
    return seeded;
  });
}

/** Moves between the states of a delivered server, which do not affect machine and addresses. */
export async function setServerState(
  core: Core,
  { id }: Pick<SeededServer, "id">,
  state: "ACTIVE" | "GRACE" | "SUSPENDED",
): Promise<void> {
  await committed(core, (tx) =>
    tx
      .updateTable("servers")
      .set({ state, ...suspensionIn(core, state) })
      .where("id", "=", id)
      .execute(),
  );
}

function suspensionIn(core: Core, state: ServerState) {
  return state === "SUSPENDED"
    ? { suspended_at: core.clock.now(), suspension_reason: "Seeded" }
    : { suspended_at: null, suspension_reason: null };
}

/** Ends a delivered server as after its grace: addresses are released, the machine waits to be wiped. */
export async function endServer(
  core: Core,
  accountId: string,
  server: SeededServer,
): Promise<void> {
  const { id, machineId } = server;
  await committed(core, async (tx) => {
    const ended = {
      state: "TERMINATED",
      ended_at: core.clock.now(),
      ...suspensionIn(core, "TERMINATED"),
    } as const;
    await tx.updateTable("servers").set(ended).where("id", "=", id).execute();
    await tx.updateTable("machines").set({ state: "DIRTY" }).where("id", "=", machineId).execute();
    await cancelServerWork({ tx, core }, id, "test");
    await cleanUp(tx, core, accountId, server);
  });
}

/** Releases a current server's addresses. */
export async function releaseAddressesOf(core: Core, { id }: SeededServer): Promise<void> {
  await committed(core, (tx) => releaseAddresses({ tx, core }, id));
}

/** Reserves a machine without a server, which no use case does. */
export async function reserveOnly(
  tx: Tx,
  { configId, regionId = "fra" }: { readonly configId: string; readonly regionId?: string },
): Promise<Result<readonly string[]>> {
  const reserved = await reserveMachines(tx, { configId, regionId, quantity: 1 });
  if (reserved.ok) await countServers(tx, { configId, regionId }, -1);
  return reserved;
}

async function countServers(
  tx: Tx,
  { configId, regionId }: { readonly configId: string; readonly regionId: string },
  count: number,
): Promise<void> {
  await tx
    .updateTable("stock")
    .set((eb) => ({ servers: eb("servers", "+", count) }))
    .where("config_id", "=", configId)
    .where("region_id", "=", regionId)
    .execute();
}

export async function assertInvariantsHold(db: Db): Promise<void> {
  const findings = await verifyInvariants(db);
  assert.deepEqual(
    findings.filter(({ offenders }) => offenders.length > 0),
    [],
  );
}

const machineStates = {
  PROVISIONING: "RESERVED",
  ACTIVE: "ASSIGNED",
  GRACE: "ASSIGNED",
  SUSPENDED: "ASSIGNED",
  TERMINATED: "DIRTY",
} as const satisfies Record<ServerState, MachineState>;

/** A server in grace is one day past its paid term. An ended one is past its grace as well. */
function paidForMs({ rules }: Core, state: ServerState, term: Term): number {
  if (state === "GRACE") return -dayMs;
  return state === "TERMINATED" ? -rules.graceMs - dayMs : termMs[term];
}

async function committed<T>(core: Core, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await core.db.write(async (tx) => ok(await work(tx)));
  if (!result.ok) throw new Error(`seeding was refused with ${result.refusal.code}`);
  return result.value;
}

async function finishProvisioning(tx: Tx, core: Core, serverId: string): Promise<void> {
  await tx
    .updateTable("work")
    .set({ state: "DONE", ended_at: core.clock.now() })
    .where("server_id", "=", serverId)
    .where("kind", "=", "PROVISION")
    .execute();
}

async function cleanUp(
  tx: Tx,
  core: Core,
  accountId: string,
  { id, machineId }: SeededServer,
): Promise<void> {
  await releaseAddresses({ tx, core }, id);
  const reclaim = { kind: "RECLAIM", accountId, serverId: id } as const;
  await queueWork({ tx, core }, [{ ...reclaim, detail: { machineId } }]);
}
