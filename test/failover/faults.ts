import { setTimeout as delay } from "node:timers/promises";
import type { SeededRandom } from "../power-cuts/seeded-random.ts";
import type { InterruptibleProxy } from "../engine-conformance/interruptible-proxy.ts";
import type { Cluster } from "./cluster.ts";
import type { Node } from "./node.ts";
import { signalAll, type RunningProcess } from "./processes.ts";
import { clusterSettings } from "./settings.ts";
import type { TestBed } from "./test-bed.ts";

/** Something that happens to the cluster, until it is over. Returns the problems found meanwhile. */
export type Fault = (bed: TestBed, random: SeededRandom) => Promise<readonly string[]>;

const none: readonly string[] = [];

/** Resolves when a server other than the given one leads. */
async function untilAnotherLeads({ cluster }: TestBed, node: Node): Promise<void> {
  await cluster.until("another server leads", async () =>
    (await cluster.members()).some(({ role, name }) => role === "leader" && name !== node.name),
  );
}

const killPrimary: Fault = async (bed, random) => {
  const primary = await bed.cluster.leader();
  await primary.kill();
  if (random.happens(0.3)) await delay(random.below(5_000));
  else await untilAnotherLeads(bed, primary);
  primary.start();
  return none;
};

const crashPostgres: Fault = async ({ cluster }) => {
  await (await cluster.leader()).killPostgres();
  return none;
};

const killPatroni: Fault = async (bed) => {
  const primary = await bed.cluster.leader();
  await primary.killPatroni();
  await untilAnotherLeads(bed, primary);
  await primary.releasePatroni();
  return none;
};

const switchover: Fault = async ({ cluster }) => {
  const [primary, standby] = [await cluster.leader(), await cluster.synchronousStandby()];
  const body = { leader: primary.name, candidate: standby.name };
  const answer = await primary.api("POST", "/switchover", body);
  return answer.ok ? none : [`the switchover was refused: ${await answer.text()}`];
};

/** Stops processes of the primary until another server leads. Then they continue, as if nothing had happened. */
const stopped =
  (processesOf: (primary: Node) => readonly RunningProcess[]): Fault =>
  async (bed) => {
    const primary = await bed.cluster.leader();
    const processes = processesOf(primary);
    signalAll(processes, "SIGSTOP");
    await untilAnotherLeads(bed, primary);
    signalAll(processes, "SIGCONT");
    return none;
  };

/** Kills the synchronous standby. Another one must replace it. */
const killStandby: Fault = async ({ cluster, service }) => {
  const standby = await cluster.synchronousStandby();
  await standby.kill();
  const killedAt = performance.now();
  await untilAcknowledged({ cluster, service }, killedAt);
  standby.start();
  return none;
};

const killStandbys: Fault = async ({ cluster, service }, random) => {
  const standbys = await cluster.standbys();
  await Promise.all(standbys.map((standby) => standby.kill()));
  const killedAt = performance.now();
  await delay(10_000 + random.below(10_000));
  const acknowledged = service.acknowledgedSince(killedAt);
  for (const standby of standbys) standby.start();
  return acknowledged === 0
    ? none
    : [`${acknowledged} writes were acknowledged while there was no standby`];
};

const killAll: Fault = async ({ cluster }) => {
  await Promise.all(cluster.nodes.map((node) => node.kill()));
  for (const node of cluster.nodes) node.start();
  return none;
};

/** Longer than the leader key lives. */
const etcdAwayMs = 40_000;

/** Without failsafe_mode the primary stops to accept writes, because another one could be elected. */
const etcdAway =
  (hasFailsafe: boolean): Fault =>
  async ({ cluster, service }, random) => {
    await setFailsafe(cluster, hasFailsafe);
    const isSilent = random.happens(0.5);
    if (isSilent) cluster.etcdLink.freeze();
    else await cluster.etcdLink.cut();
    await delay(etcdAwayMs);
    const since = performance.now();
    if (hasFailsafe) await untilAcknowledged({ cluster, service }, since);
    if (isSilent) await reconnect(cluster.etcdLink);
    else await cluster.etcdLink.restore();
    await cluster.untilHealthy();
    await setFailsafe(cluster, true);
    return none;
  };

async function setFailsafe(cluster: Cluster, isOn: boolean): Promise<void> {
  await cluster.configure({ failsafe_mode: isOn });
  await delay(2_000 * clusterSettings.loop_wait);
}

/** The connections that are open die without a word. Both sides must find out and connect again. */
const halfOpen =
  (linkOf: (bed: TestBed) => Promise<InterruptibleProxy>): Fault =>
  async (bed) => {
    const link = await linkOf(bed);
    link.silence();
    await untilAcknowledged(bed, performance.now());
    return none;
  };

/** New connections get no answer either. */
const unreachable =
  (linkOf: (bed: TestBed) => Promise<InterruptibleProxy>): Fault =>
  async (bed, random) => {
    const link = await linkOf(bed);
    link.freeze();
    await delay(5_000 + random.below(20_000));
    await reconnect(link);
    return none;
  };

/** When a link works again, the other end resets the connections that it does not know. */
async function reconnect(link: InterruptibleProxy): Promise<void> {
  link.thaw();
  await link.cut();
  await link.restore();
}

async function untilAcknowledged(
  { cluster, service }: Pick<TestBed, "cluster" | "service">,
  since: number,
): Promise<void> {
  await cluster.until("writes are acknowledged", () =>
    Promise.resolve(service.acknowledgedSince(since) > 0),
  );
}

const toPrimary = async ({ cluster }: TestBed) => (await cluster.leader()).postgresLink;

export const faults = {
  "primary killed": killPrimary,
  "PostgreSQL of the primary crashed": crashPostgres,
  "Patroni of the primary killed": killPatroni,
  switchover,
  "primary stopped": stopped((primary) => primary.allProcesses()),
  "PostgreSQL of the primary stopped": stopped((primary) => primary.postgresProcesses()),
  "Patroni of the primary stopped": stopped((primary) => primary.patroniProcesses()),
  "synchronous standby killed": killStandby,
  "no standby": killStandbys,
  "all servers killed": killAll,
  "etcd away": etcdAway(true),
  "etcd away without failsafe_mode": etcdAway(false),
  "half-open connections of the service": halfOpen(async ({ cluster }) => cluster.serviceLink),
  "half-open connections to the primary": halfOpen(toPrimary),
  "half-open connections to etcd": halfOpen(async ({ cluster }) => cluster.etcdLink),
  "primary unreachable": unreachable(toPrimary),
  "Patroni of the primary unreachable": unreachable(
    async ({ cluster }) => (await cluster.leader()).apiLink,
  ),
} as const satisfies Readonly<Record<string, Fault>>;
