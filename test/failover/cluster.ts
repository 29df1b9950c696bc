import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "#test/free-port.ts";
import { superviseProcess, type SupervisedProcess } from "#test/supervised-process.ts";
import { databaseUrl, runStatement } from "#test/template-database.ts";
import { handToUnprivileged, unprivileged, unprivilegedTmpdir } from "#test/unprivileged-user.ts";
import { proxyTo, type InterruptibleProxy } from "../engine-conformance/interruptible-proxy.ts";
import type { EtcdDriver } from "./etcd-driver.ts";
import { Node } from "./node.ts";
import type { Programs } from "./programs.ts";
import { haproxyConfiguration, superuser, type ClusterSettings } from "./settings.ts";

const longestWaitMs = 240_000;
const pollPauseMs = 200;
const names = ["db1", "db2", "db3"] as const;
const owner = { name: "ironlease", password: "change-me" };

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

/** As Patroni writes it. */
interface LeaderStatus {
  readonly replication?: readonly {
    readonly application_name: string;
    readonly sync_state: string;
  }[];
}

interface Supervised {
  readonly folder: string;
  process: SupervisedProcess;
}

/** Three PostgreSQL servers with Patroni, etcd and HAProxy on loopback. */
export class Cluster {
  readonly nodes: readonly Node[];
  /** Between the service and HAProxy. */
  readonly serviceLink: InterruptibleProxy;
  readonly etcdLink: InterruptibleProxy;
  readonly folder: string;
  readonly programs: Programs;
  readonly #daemons: readonly Supervised[];
  readonly #keeper: SupervisedProcess;

  private constructor(
    parts: Pick<Cluster, "nodes" | "serviceLink" | "etcdLink" | "folder" | "programs">,
    daemons: readonly Supervised[],
    keeper: SupervisedProcess,
  ) {
    this.nodes = parts.nodes;
    this.serviceLink = parts.serviceLink;
    this.etcdLink = parts.etcdLink;
    this.folder = parts.folder;
    this.programs = parts.programs;
    this.#daemons = daemons;
    this.#keeper = keeper;
  }

  static async start(programs: Programs, driver: EtcdDriver): Promise<Cluster> {
    const folder = await realpath(await mkdtemp(join(unprivilegedTmpdir, "ironlease-patroni-")));
    await mkdir(join(folder, "repository"));
    await mkdir(join(folder, "etcd"));
    await mkdir(join(folder, "haproxy"));
    const [etcdPort, peerPort, haproxyPort] = [
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
    ];
    const etcdLink = await proxyTo(`http://127.0.0.1:${etcdPort}`);
    const serviceLink = await proxyTo(`postgres://127.0.0.1:${haproxyPort}`);
    const etcd = { driver, port: Number(new URL(etcdLink.url).port) };
    await handToUnprivileged(folder);
    // The programs in it remove only folders of their own, and those of servers that are down stay.
    const keeper = superviseProcess({
      folder,
      user: unprivileged,
      program: "sleep",
      arguments: ["infinity"],
      environment: {},
    });
    const { environment } = programs;
    const run = (name: string, program: string, parameters: readonly string[]): Supervised => {
      const own = join(folder, name);
      const options = { folder: own, program, arguments: parameters, environment };
      return { folder: own, process: superviseProcess({ ...options, user: unprivileged }) };
    };
    const daemons = [
      run("etcd", programs.etcd, [
        ...["--data-dir", "data", "--listen-client-urls", `http://127.0.0.1:${etcdPort}`],
        ...["--advertise-client-urls", etcdLink.url.replace(/\/$/, "")],
        ...["--listen-peer-urls", `http://127.0.0.1:${peerPort}`],
        ...(driver === "etcd" ? ["--enable-v2"] : []),
      ]),
    ];
    const nodes: Node[] = [];
    for (const name of names) {
      nodes.push(await Node.start({ name, parent: folder, programs, etcd }));
    }
    await writeFile(
      join(folder, "haproxy", "haproxy.cfg"),
      haproxyConfiguration(
        haproxyPort,
        nodes.map(({ addresses }) => addresses),
      ),
    );
    daemons.push(run("haproxy", programs.haproxy, ["-db", "-f", "haproxy.cfg"]));
    return new Cluster({ nodes, serviceLink, etcdLink, folder, programs }, daemons, keeper);
  }

  /** The service's database, through HAProxy. Creates it as the guide says. */
  async createDatabase(): Promise<string> {
    const url = new URL(this.serviceLink.url);
    url.username = superuser.username;
    url.password = superuser.password;
    url.pathname = "/postgres";
    await runStatement(url.href, `create role ${owner.name} login password '${owner.password}'`);
    await runStatement(
      url.href,
      `create database ${owner.name} owner ${owner.name} encoding 'UTF8' template template0`,
    );
    url.username = owner.name;
    url.password = owner.password;
    return databaseUrl(url.href, owner.name);
  }

  get etcd(): SupervisedProcess {
    return (this.#daemons[0] as Supervised).process;
  }

  /** What etcd knows. */
  async members(): Promise<readonly Member[]> {
    for (const node of this.nodes) {
      try {
        const answer = await node.api("GET", "/cluster");
        if (!answer.ok) continue;
        return ((await answer.json()) as { readonly members: readonly Member[] }).members;
      } catch {
        // It is down, or stopped. Ask the next one.
      }
    }
    return [];
  }

  async leader(): Promise<Node> {
    return this.#untilRole("leader");
  }

  async synchronousStandby(): Promise<Node> {
    return this.#untilRole("sync_standby");
  }

  async standbys(): Promise<readonly Node[]> {
    const leader = await this.leader();
    return this.nodes.filter((node) => node !== leader);
  }

  /** Resolves when one leader has two standbys that follow it, one of them synchronous if need be. */
  async untilHealthy(isSynchronous = true): Promise<void> {
    await this.until("the cluster is healthy", async () => {
      const members = await this.members();
      return isHealthy(members) && (!isSynchronous || (await this.#isSynchronous(members)));
    });
  }

  /**
   * Whether PostgreSQL and Patroni name the same synchronous standby. While they differ, as right after a crash, Patroni
   * promotes none.
   */
  async #isSynchronous(members: readonly Member[]): Promise<boolean> {
    const named = (role: string) => members.find((member) => member.role === role)?.name;
    const leader = this.nodes.find(({ name }) => name === named("leader"));
    if (leader === undefined) return false;
    try {
      const answer = await leader.api("GET", "/patroni");
      const { replication = [] } = (await answer.json()) as LeaderStatus;
      const synchronous = replication.find(({ sync_state: state }) => state === "sync");
      return synchronous !== undefined && synchronous.application_name === named("sync_standby");
    } catch {
      // It is down, or stopped. `until` asks again.
      return false;
    }
  }

  /** Changes settings of the whole cluster. */
  async configure(settings: ClusterSettings): Promise<void> {
    const leader = await this.leader();
    const answer = await leader.api("PATCH", "/config", settings);
    if (!answer.ok) throw new Error(`Patroni refused the settings: ${await answer.text()}`);
  }

  async until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + longestWaitMs;
    while (!(await isTrue())) {
      if (performance.now() > end) {
        throw new Error(`${what}: not within ${longestWaitMs / 1000} s\n${await this.#describe()}`);
      }
      await delay(pollPauseMs);
    }
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await node.stop();
    for (const { process } of this.#daemons) await process.remove();
    await this.serviceLink.cut();
    await this.etcdLink.cut();
    await this.#keeper.remove();
  }

  /** Right after a failover there is none for a moment. */
  async #untilRole(role: string): Promise<Node> {
    let found: Node | undefined;
    await this.until(`there is a ${role}`, async () => {
      const member = (await this.members()).find((one) => one.role === role);
      found = this.nodes.find(({ name }) => name === member?.name);
      return found !== undefined;
    });
    return found as Node;
  }

  async #describe(): Promise<string> {
    const members = JSON.stringify(await this.members());
    const logs = await Promise.all(
      this.nodes.map(async (node) => `${node.name}:\n${await node.lastLines()}`),
    );
    return [members, ...logs].join("\n");
  }
}

const runningStates: ReadonlySet<string> = new Set(["running", "streaming"]);

function isHealthy(members: readonly Member[]): boolean {
  const leaders = members.filter(({ role }) => role === "leader");
  const [leader] = leaders;
  return (
    members.length === names.length &&
    leaders.length === 1 &&
    members.every(
      ({ state, timeline }) => runningStates.has(state) && timeline === leader?.timeline,
    )
  );
}
