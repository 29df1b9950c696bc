import assert from "node:assert/strict";
import { verifyInvariants } from "../../packages/server/src/features/verification/verify-invariants.ts";
import type { Core } from "../../packages/server/src/kernel/core.ts";
import { queueWork } from "../../packages/server/src/kernel/work-queue.ts";
import type { Db, Tx } from "../../packages/server/src/ports/db.ts";
import { ok } from "../../packages/server/src/ports/result.ts";
import type {
  DdosMode,
  MachineState,
  ServerState,
  Term,
} from "../../packages/server/src/ports/schema.ts";
import { addAssignment, addMachine, addOrder, atHand, type MachineSeed } from "./rental-rows.ts";

/** A server somewhere in its life, without going through the order, the desk and the clock. */
export interface ServerSeed {
  readonly state?: ServerState;
  readonly configId?: string;
  readonly regionId?: string;
  readonly osId?: string;
  readonly term?: Term;
  readonly priceCents?: number;
  readonly autoRenew?: boolean;
  readonly ddosMode?: DdosMode;
  /** Always true of one that is ADVANCED: there is no other way to become it. */
  readonly ddosQuoteAccepted?: boolean;
  readonly sshPublicKey?: string;
  /** An address of each; both kinds when nothing is said, none before delivery. */
  readonly families?: readonly (4 | 6)[];
}

export interface SeededServer {
  readonly id: string;
  readonly orderId: string;
  readonly machineId: string;
  readonly assignmentIds: readonly string[];
}

const dayMs = 24 * 3_600_000;
const graceMs = 3 * dayMs;
/** A server in grace is a day past what was paid, one that has ended is past its grace as well. */
const sincePaid = { PROVISIONING: 0, GRACE: -dayMs, TERMINATED: -graceMs - dayMs } as const;

export async function seedMachine(core: Core, seed: MachineSeed = {}): Promise<string> {
  return committed(core, (tx) => addMachine(tx, core, seed));
}

/** The server, its order with its charge, its machine, its addresses and the work around it. */
export async function seedServer(
  core: Core,
  accountId: string,
  seed: ServerSeed = {},
): Promise<SeededServer> {
  const { configId, regionId, osId } = { ...atHand, ...seed };
  const { state = "ACTIVE", term = "monthly", priceCents = 9_900, ddosMode = "BASELINE" } = seed;
  const isDelivered = state !== "PROVISIONING";
  const now = core.clock.now();
  const termMs = (term === "weekly" ? 7 : 30) * dayMs;
  const paidThrough = now + { ...sincePaid, ACTIVE: termMs, SUSPENDED: termMs }[state];
  return committed(core, async (tx) => {
    const machineId = await addMachine(tx, core, {
      configId,
      regionId,
      state: machineStates[state],
    });
    const orderId = await addOrder(tx, core, accountId, {
      config_id: configId,
      region_id: regionId,
      os_id: osId,
      term,
      total_cents: priceCents,
      ssh_public_key: seed.sshPublicKey ?? null,
    });
    const id = core.ids.next("server");
    await tx
      .insertInto("servers")
      .values({
        id,
        account_id: accountId,
        order_id: orderId,
        config_id: configId,
        region_id: regionId,
        os_id: osId,
        hostname: isDelivered ? `${id.replace("_", "-")}.example.com` : null,
        state,
        term,
        price_cents: priceCents,
        paid_through: isDelivered ? paidThrough : null,
        grace_until: isDelivered ? paidThrough + graceMs : null,
        auto_renew: seed.autoRenew === false ? 0 : 1,
        ddos_mode: ddosMode,
        ddos_requested_mode: null,
        ddos_quote_accepted: ddosMode === "ADVANCED" || seed.ddosQuoteAccepted === true ? 1 : 0,
        machine_id: machineId,
        created_at: now,
      })
      .execute();
    await queueWork(tx, core, [
      { kind: "PROVISION", accountId, orderId, serverId: id, detail: { machineId } },
    ]);
    const assignmentIds: string[] = [];
    if (isDelivered) {
      await finishProvisioning(tx, core, id);
      for (const family of seed.families ?? ([4, 6] as const)) {
        assignmentIds.push(await addAssignment(tx, core, { accountId, id, regionId, family }));
      }
    }
    if (state === "TERMINATED") await cleanUp(tx, core, { accountId, id, machineId });
    return { id, orderId, machineId, assignmentIds };
  });
}

/** Between the states of a delivered server, of which the machine and the addresses know nothing. */
export async function setServerState(
  core: Core,
  { id }: SeededServer,
  state: "ACTIVE" | "GRACE" | "SUSPENDED",
): Promise<void> {
  await committed(core, (tx) =>
    tx.updateTable("servers").set({ state }).where("id", "=", id).execute(),
  );
}

/** Ends a delivered server as the end of its grace does: addresses go back, the machine waits. */
export async function endServer(
  core: Core,
  accountId: string,
  server: SeededServer,
): Promise<void> {
  const { id, machineId } = server;
  await committed(core, async (tx) => {
    await tx.updateTable("servers").set({ state: "TERMINATED" }).where("id", "=", id).execute();
    await tx.updateTable("machines").set({ state: "DIRTY" }).where("id", "=", machineId).execute();
    await cleanUp(tx, core, { accountId, id, machineId });
  });
}

export async function releaseAssignment(core: Core, assignmentId: string): Promise<void> {
  const released = { released_at: core.clock.now() };
  await committed(core, (tx) =>
    tx.updateTable("assignments").set(released).where("id", "=", assignmentId).execute(),
  );
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
  { accountId, id, machineId }: { accountId: string; id: string; machineId: string },
): Promise<void> {
  await tx
    .updateTable("assignments")
    .set({ released_at: core.clock.now() })
    .where("server_id", "=", id)
    .execute();
  await queueWork(tx, core, [{ kind: "RECLAIM", accountId, serverId: id, detail: { machineId } }]);
}
