import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "#test/free-port.ts";
import { killWithChildren } from "#test/kill-with-children.ts";
import { superviseProcess, type SupervisedProcess } from "#test/supervised-process.ts";
import { handToUnprivileged, unprivileged } from "#test/unprivileged-user.ts";
import { proxyTo, type InterruptibleProxy } from "../engine-conformance/interruptible-proxy.ts";
import type { EtcdDriver } from "./etcd-driver.ts";
import { descendantsOf, signalAll, type RunningProcess } from "./processes.ts";
import type { Programs } from "./programs.ts";
import {
  patroniConfiguration,
  patroniFile,
  pgbackrestConfiguration,
  type NodeAddresses,
} from "./settings.ts";

const answerMs = 5_000;
const shownLines = 5;

// The first process of the namespace, which starts Patroni again as systemd would, unless a file holds it back. It also
// reaps what others leave behind.
const initScript = `
while true; do
  "$@"
  sleep 0.5
  while [ -e held ]; do sleep 0.2; done
done
`;

export interface NodeOptions {
  readonly name: string;
  /** The folder of the cluster, where the node gets one of its own. */
  readonly parent: string;
  readonly programs: Programs;
  readonly etcd: { readonly driver: EtcdDriver; readonly port: number };
}

/** PostgreSQL with its Patroni. The rest of the cluster reaches it through two links that can fail. */
export class Node {
  readonly addresses: NodeAddresses;
  readonly postgresLink: InterruptibleProxy;
  readonly apiLink: InterruptibleProxy;
  readonly #programs: Programs;
  #machine: SupervisedProcess;

  private constructor(
    addresses: NodeAddresses,
    programs: Programs,
    links: { readonly postgres: InterruptibleProxy; readonly api: InterruptibleProxy },
  ) {
    this.addresses = addresses;
    this.#programs = programs;
    this.postgresLink = links.postgres;
    this.apiLink = links.api;
    this.#machine = this.#run();
  }

  static async start({ name, parent, programs, etcd }: NodeOptions): Promise<Node> {
    const folder = join(parent, name);
    const [api, postgres] = [await findFreePort(), await findFreePort()];
    const links = {
      postgres: await proxyTo(`postgres://127.0.0.1:${postgres}`),
      api: await proxyTo(`http://127.0.0.1:${api}`),
    };
    const linkedApi = Number(new URL(links.api.url).port);
    const linkedPostgres = Number(new URL(links.postgres.url).port);
    const addresses = { name, folder, api, postgres, linkedApi, linkedPostgres };
    await mkdir(folder, { mode: 0o700 });
    await writeFile(join(folder, "patroni.yml"), patroniConfiguration(addresses, etcd, programs));
    await writeFile(
      join(folder, "pgbackrest.conf"),
      pgbackrestConfiguration(folder, postgres, join(parent, "repository")),
    );
    await handToUnprivileged(folder);
    return new Node(addresses, programs, links);
  }

  get name(): string {
    return this.addresses.name;
  }

  /** Patroni and PostgreSQL run in a process namespace of their own, which ends as a whole, like a machine. */
  #run(): SupervisedProcess {
    const { folder } = this.addresses;
    const namespace = ["--user", "--map-current-user", "--pid", "--fork", "--mount-proc"];
    return superviseProcess({
      folder,
      user: unprivileged,
      program: "unshare",
      arguments: [
        ...[...namespace, "--kill-child=KILL", "/bin/sh", "-c", initScript],
        ...["init", this.#programs.patroni, "patroni.yml"],
      ],
      environment: this.#programs.environment,
    });
  }

  /** Ends everything at once, like a power cut. The data stays. */
  async kill(): Promise<void> {
    if (this.#machine.isRunning()) await this.#machine.end("SIGKILL");
  }

  /** Starts it again after a kill. */
  start(): void {
    if (!this.#machine.isRunning()) this.#machine = this.#run();
  }

  async killPostgres(): Promise<void> {
    await killWithChildren(this.#postmaster()?.pid);
  }

  /** Kills Patroni and keeps it down. PostgreSQL runs on, and accepts writes if it is the primary. */
  async killPatroni(): Promise<void> {
    await writeFile(this.#holdFile, "");
    signalAll(this.patroniProcesses(), "SIGKILL");
  }

  async releasePatroni(): Promise<void> {
    await rm(this.#holdFile);
  }

  allProcesses(): readonly RunningProcess[] {
    return descendantsOf(this.#machine.pid ?? 0);
  }

  patroniProcesses(): readonly RunningProcess[] {
    return this.allProcesses().filter(({ name }) => name === "patroni");
  }

  postgresProcesses(): readonly RunningProcess[] {
    return this.allProcesses().filter(({ name }) => name === "postgres");
  }

  /** Calls Patroni's own API, as an administrator on that machine. */
  async api(method: string, path: string, body?: unknown): Promise<Response> {
    const { username, password } = patroniFile.restapi.authentication;
    return fetch(`http://127.0.0.1:${this.addresses.api}${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
      signal: AbortSignal.timeout(answerMs),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async lastLines(): Promise<string> {
    const output = await readFile(join(this.addresses.folder, "output.log"), "utf8");
    return output.trim().split("\n").slice(-shownLines).join("\n");
  }

  async stop(): Promise<void> {
    await this.#machine.remove();
    await this.postgresLink.cut();
    await this.apiLink.cut();
  }

  get #holdFile(): string {
    return join(this.addresses.folder, "held");
  }

  #postmaster(): RunningProcess | undefined {
    const servers = this.postgresProcesses();
    return servers.find(({ parent }) => !servers.some(({ pid }) => pid === parent));
  }
}
