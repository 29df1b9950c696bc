import { createIpmi } from "#server/adapters/controller-ipmi/ipmi-controller.ts";
import { connectRedfish } from "#server/adapters/controller-redfish/redfish-controller.ts";
import { performRun } from "#server/features/hardware/perform-run.ts";
import { endLost, takeRun } from "#server/features/hardware/run-timer.ts";
import type { ControllerInput } from "#server/features/machines/controller-input.ts";
import { setMachineController } from "#server/features/machines/set-controller.ts";
import { listRuns, type RunRecord } from "#server/features/work/list-runs.ts";
import { requestRun } from "#server/features/work/request-run.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Hardware, HardwareTimes } from "#server/kernel/hardware.ts";
import type { RunStep } from "#server/kernel/hardware-programs.ts";
import { ok } from "#server/kernel/result.ts";
import { queueWork } from "#server/kernel/work-queue/items.ts";
import { register } from "./bare-core.ts";
import { operatorCall } from "./operators.ts";
import { seedServer, type SeededServer } from "./rental.ts";
import { intentOf, valueOf } from "./use-cases.ts";
import { claimWork } from "./work.ts";

/** Limits that a test can exceed. Only the limit of what a test lets hang is short. */
export const testHardwareTimes: HardwareTimes = {
  callMs: 20_000,
  powerMs: 20_000,
  shutDownMs: 20_000,
  pollMs: 5,
};

export type HardwareCore = Core & { readonly hardware: Hardware };

export function withHardware(
  core: Core,
  ipmitool = "/nonexistent",
  times: Partial<HardwareTimes> = {},
): HardwareCore {
  const hardware: Hardware = {
    drivers: { redfish: connectRedfish, ipmi: createIpmi(ipmitool) },
    networks: ["127.0.0.0/8"],
    isoMirror: "https://mirror.example/iso/",
    times: { ...testHardwareTimes, ...times },
  };
  return { ...core, hardware };
}

export interface ClaimedItem {
  readonly workId: string;
  readonly machineId: string;
  readonly server: SeededServer;
  readonly accountId: string;
  readonly actionId: string | undefined;
  readonly call: OperatorCall;
}

interface TargetServer extends SeededServer {
  readonly accountId: string;
}

async function newServer(core: Core): Promise<TargetServer> {
  const { accountId } = await register(core);
  return { ...(await seedServer(core, accountId)), accountId };
}

/** An item with this controller, claimed by an operator. By default on a new machine. */
export async function claimedItem(
  core: Core,
  controller: ControllerInput | undefined,
  action: string,
  on?: TargetServer,
): Promise<ClaimedItem> {
  const call = await operatorCall(core, "admin");
  const server = on ?? (await newServer(core));
  const { accountId } = server;
  const actionId = core.ids.next("action");
  const isReclaim = action === "RECLAIM";
  await core.db.write(async (tx) => {
    const row = { id: actionId, account_id: accountId, server_id: server.id };
    if (!isReclaim) {
      await tx
        .insertInto("actions")
        .values({ ...row, action, iso_url: null, created_at: core.clock.now() })
        .execute();
    }
    const item = isReclaim
      ? ({ kind: "RECLAIM", detail: {} } as const)
      : ({ kind: "SERVER_ACTION", actionId, detail: { action } } as const);
    await queueWork({ tx, core }, [{ ...item, accountId, serverId: server.id }]);
    return ok();
  });
  const { id: workId } = await core.db.read
    .selectFrom("work")
    .select("id")
    .where("server_id", "=", server.id)
    .where("state", "=", "OPEN")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  const { machineId } = server;
  if (controller !== undefined) {
    await valueOf(setMachineController(core, call, { ...controller, machineId }));
  }
  await valueOf(claimWork(core, call, workId));
  const own = isReclaim ? undefined : actionId;
  return { workId, machineId, server, accountId, actionId: own, call };
}

export function queue(core: Core, { workId, call }: ClaimedItem, step?: RunStep, key?: string) {
  return requestRun(core, { ...call, intent: intentOf("runWork", key) }, { workId, step });
}

/** Queues a run, carries it out as the background job does, and returns its record. */
export async function runItem(
  core: HardwareCore,
  item: ClaimedItem,
  step?: RunStep,
): Promise<RunRecord & { readonly reason: string }> {
  await valueOf(queue(core, item, step));
  const taken = await takeRun(core);
  if (taken === undefined) throw new Error("no run is queued");
  await performRun(core, taken, new AbortController().signal);
  return latestRun(core, item);
}

export async function latestRun(
  core: Core,
  { workId }: Pick<ClaimedItem, "workId">,
): Promise<RunRecord & { readonly reason: string }> {
  const { runs } = await valueOf(listRuns(core, workId));
  const [latest] = runs;
  if (latest === undefined) throw new Error("the run is not listed");
  return { ...latest, reason: latest.evidence.at(-1)?.answer ?? "" };
}

export { endLost, listRuns, takeRun };

export function observedIn({ evidence }: RunRecord): readonly (string | null)[] {
  return evidence.map(({ observed }) => observed);
}

/** Queues a run on a controller that does not exist, carries it out and lists it. */
export async function performSampleRun(core: Core): Promise<void> {
  const on = withHardware(core);
  const controller = { driver: "redfish", address: "https://127.0.0.1:1" } as const;
  const server = await core.db.read
    .selectFrom("servers")
    .select(["id", "account_id as accountId", "machine_id as machineId", "order_id as orderId"])
    .orderBy("id")
    .limit(1)
    .executeTakeFirstOrThrow();
  const input = { ...controller, username: "u", credential: "c" };
  const item = await claimedItem(on, input, "reboot", { ...server, assignmentIds: [] });
  await runItem(on, item);
  await endLost(on);
}
