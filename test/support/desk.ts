import assert from "node:assert/strict";
import { requestAction } from "#server/features/servers/request-action.ts";
import { setDdosMode } from "#server/features/servers/set-ddos-mode.ts";
import type { CompletionInput } from "#server/features/work/completion.ts";
import type { WorkRecord } from "#server/features/work/work-record.ts";
import { requestWithdrawal } from "#server/features/withdrawals/request-withdrawal.ts";
import type { Core } from "#server/kernel/core.ts";
import { addSubnet } from "#server/kernel/subnets.ts";
import type { Tx } from "#server/ports/db.ts";
import type { Result } from "#server/ports/result.ts";
import { ok } from "#server/kernel/result.ts";
import type { DdosMode, WorkKind } from "#server/ports/schema.ts";
import type { Asset } from "#server/ports/settlement.ts";
import { register, testClient } from "./core.ts";
import { operatorCall, type SignedInOperator } from "./operators.ts";
import { adjust } from "./rental-service.ts";
import { endServer, seedServer, type ServerSeed } from "./rental.ts";
import { intentOf, valueOf } from "./use-cases.ts";
import { claimWork, completeWork } from "./work.ts";

/** An open work item and its account. */
export interface Queued {
  readonly workId: string;
  readonly accountId: string;
  /** The server or withdrawal. */
  readonly subjectId: string;
  /** Empty for a withdrawal. */
  readonly machineId: string;
}

export const destination = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/** A server that awaits delivery, in a region with addresses. */
export async function queueProvision(core: Core, seed: ServerSeed = {}): Promise<Queued> {
  const { accountId } = await register(core);
  await addPools(core, seed.regionId ?? "fra");
  const { id, machineId } = await seedServer(core, accountId, { ...seed, state: "PROVISIONING" });
  return queued(core, "PROVISION", { accountId, subjectId: id, machineId });
}

/** A reboot, of a new customer's server unless one is given. */
export async function queueAction(
  core: Core,
  customer?: { readonly accountId: string },
): Promise<Queued> {
  const { accountId } = customer ?? (await register(core));
  const { id, machineId } = await seedServer(core, accountId);
  const intent = intentOf("requestAction");
  const action = { action: "reboot" } as const;
  await valueOf(
    requestAction(core, { accountId, client: testClient, intent }, { serverId: id, ...action }),
  );
  return queued(core, "SERVER_ACTION", { accountId, subjectId: id, machineId });
}

/** A withdrawal of the account's whole balance. */
export async function queueWithdrawal(
  core: Core,
  cents = 12_345,
  to: { readonly asset: Asset; readonly destination: string } = { asset: "ETH", destination },
): Promise<Queued> {
  const { accountId } = await register(core);
  await adjust(core, accountId, cents);
  const request = { ...to, usd: cents / 100 };
  const intent = intentOf("requestWithdrawal");
  const requested = requestWithdrawal(core, { accountId, client: testClient, intent }, request);
  const subjectId = (await valueOf(requested)).body.id;
  return queued(core, "WITHDRAWAL", { accountId, subjectId, machineId: "" });
}

/** A request of a customer who can just pay `completionOf.DDOS` for a whole term. */
export async function queueDdos(core: Core, mode: DdosMode = "ADVANCED"): Promise<Queued> {
  const { accountId } = await register(core);
  const ddosMode = mode === "ADVANCED" ? "BASELINE" : "ADVANCED";
  if (mode === "ADVANCED") await adjust(core, accountId, completionOf.DDOS.quoteUsd * 100);
  const { id, machineId } = await seedServer(core, accountId, { ddosMode });
  const intent = intentOf("setDdosMode");
  await valueOf(
    setDdosMode(core, { accountId, client: testClient, intent }, { serverId: id, mode }),
  );
  return queued(core, "DDOS", { accountId, subjectId: id, machineId });
}

export async function queueReclaim(core: Core): Promise<Queued> {
  const { accountId } = await register(core);
  const server = await seedServer(core, accountId);
  await endServer(core, accountId, server);
  const { id, machineId } = server;
  return queued(core, "RECLAIM", { accountId, subjectId: id, machineId });
}

/** Queues one item of each kind. */
export const queueWorkOf: Readonly<Record<WorkKind, (core: Core) => Promise<Queued>>> = {
  PROVISION: (core) => queueProvision(core),
  SERVER_ACTION: (core) => queueAction(core),
  WITHDRAWAL: (core) => queueWithdrawal(core),
  DDOS: (core) => queueDdos(core),
  RECLAIM: queueReclaim,
};

export const completionOf = {
  PROVISION: { hostname: "web-1" },
  SERVER_ACTION: {},
  WITHDRAWAL: { transactionId: "0xfeed" },
  DDOS: { quoteUsd: 120.5 },
  RECLAIM: {},
} as const satisfies Record<WorkKind, unknown>;

export const workKinds = Object.keys(queueWorkOf) as readonly WorkKind[];

/** A new operator claims an item and completes it. */
export async function completeNow(
  core: Core,
  workId: string,
  input: CompletionInput = {},
): Promise<WorkRecord> {
  const call = await operatorCall(core, "finance");
  await valueOf(claimWork(core, call, workId));
  return valueOf(completeWork(core, call, workId, input));
}

async function queued(core: Core, kind: WorkKind, about: Omit<Queued, "workId">): Promise<Queued> {
  const { id } = await core.db.read
    .selectFrom("work")
    .select("id")
    .where("account_id", "=", about.accountId)
    .where("kind", "=", kind)
    .executeTakeFirstOrThrow();
  return { workId: id, ...about };
}

/** The message of a refusal. */
export async function messageOf(pending: Promise<Result<unknown>>): Promise<string> {
  const result = await pending;
  return result.ok ? "ok" : (result.refusal.message ?? "");
}

/** The audit entries of a subject with details and address, oldest first. */
export async function auditOf({ db }: Core, subject: string) {
  const query = db.read.selectFrom("audit").selectAll().where("subject", "=", subject);
  const rows = await query.orderBy("id").execute();
  return rows.map((row) => [
    ...[row.actor, row.action],
    ...[JSON.parse(row.detail) as unknown, row.ip_address],
  ]);
}

export async function balanceOf({ db }: Core, accountId: string) {
  const { available_cents: available, held_cents: held } = await db.read
    .selectFrom("balances")
    .select(["available_cents", "held_cents"])
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return { available, held };
}

/** Ends the PROVISION work item, for tests that deliver or abandon a server without the work queue. */
export async function endProvisionWork(
  tx: Tx,
  core: Core,
  serverId: string,
  state: "DONE" | "FAILED",
): Promise<void> {
  await tx
    .updateTable("work")
    .set({ state, ended_at: core.clock.now() })
    .where("server_id", "=", serverId)
    .where("kind", "=", "PROVISION")
    .execute();
}

/** Adds subnets to a region that has none. */
export async function addPools(core: Core, regionId: string): Promise<void> {
  await core.db.write(async (tx) => {
    const all = await tx.selectFrom("subnets").select("region_id").execute();
    if (all.some((subnet) => subnet.region_id === regionId)) return ok();
    const number = 100 + all.length;
    for (const cidr of [`10.${number}.0.0/20`, `fd01:0:${number}::/48`]) {
      const added = await addSubnet({ tx, core }, { regionId, cidr });
      assert.ok(added.ok, JSON.stringify(added));
    }
    return ok();
  });
}

/** Delivers every server that awaits delivery, over the operator API. */
export async function provisionAll(
  { core }: { readonly core: Core },
  { send }: Pick<SignedInOperator, "send">,
): Promise<readonly string[]> {
  const waiting = await core.db.read
    .selectFrom("work")
    .innerJoin("servers", "servers.id", "work.server_id")
    .select(["work.id", "work.server_id", "servers.region_id"])
    .where("work.kind", "=", "PROVISION")
    .where("work.state", "=", "OPEN")
    .orderBy("work.id")
    .execute();
  for (const { id, region_id: regionId } of waiting) {
    await addPools(core, regionId);
    for (const verb of ["claim", "complete"]) {
      const body = verb === "complete" ? { body: {} } : {};
      const answer = await send("POST", `/operator/v1/work/${id}/${verb}`, body);
      assert.equal(answer.status, 200, answer.text);
    }
  }
  return waiting.map((item) => item.server_id ?? "");
}
