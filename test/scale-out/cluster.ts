import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runIronleased, startIronleased, type Daemon, type Ended } from "#test/daemon.ts";
import { noActionLimits } from "#test/no-action-limits.ts";
import { Balancer } from "./balancer.ts";

type Env = Readonly<Record<string, string>> & { readonly IRONLEASE_DATA: string };

const size = 3;

/** Three instances that share one PostgreSQL, behind one load balancer for customers and one for operators. */
export class Cluster {
  readonly #env: Env;
  readonly #account: Balancer;
  readonly #operator: Balancer;
  readonly #instances: Daemon[] = [];
  #starts = 0;

  private constructor(env: Env, account: Balancer, operator: Balancer) {
    this.#env = env;
    this.#account = account;
    this.#operator = operator;
  }

  static async start(env: Env): Promise<Cluster> {
    const [account, operator] = await Promise.all([Balancer.start(), Balancer.start()]);
    const origins = {
      IRONLEASE_ORIGIN: account.url,
      IRONLEASE_OPERATOR_ORIGIN: operator.url,
      IRONLEASE_AUTH_LIMITS: "off",
      ...noActionLimits,
    };
    const cluster = new Cluster({ ...env, ...origins }, account, operator);
    // The first instance creates the certificate that all of them use.
    await cluster.#startInstance(0);
    await Promise.all([cluster.#startInstance(1), cluster.#startInstance(2)]);
    return cluster;
  }

  get url(): string {
    return this.#account.url;
  }

  get operatorUrl(): string {
    return this.#operator.url;
  }

  get ca(): string {
    return readFileSync(join(this.#env.IRONLEASE_DATA, "tls", "ca.pem"), "utf8");
  }

  /** A rolling restart: stops and starts one instance after the other, as an upgrade does. */
  async restartAll(): Promise<void> {
    for (let index = 0; index < size; index += 1) {
      const code = await this.#instance(index).stop();
      if (code !== 0) throw new Error(`An instance exited with ${code} on SIGTERM.`);
      await this.#startInstance(index);
    }
  }

  /** Kills an instance without warning and starts it again. */
  async kill(index: number): Promise<void> {
    await this.#instance(index).stop("SIGKILL");
    await this.#startInstance(index);
  }

  verify(): Promise<Ended> {
    return runIronleased(["verify"], this.#env);
  }

  async stop(): Promise<void> {
    const codes = await Promise.all(this.#instances.map((instance) => instance.stop()));
    await Promise.all([this.#account.close(), this.#operator.close()]);
    if (codes.some((code) => code !== 0))
      throw new Error(`The instances exited with ${codes.join(", ")}.`);
  }

  async #startInstance(index: number): Promise<void> {
    this.#starts += 1;
    // A new log file for each start, because the instance's address is read from it.
    const logPath = join(this.#env.IRONLEASE_DATA, `log-${this.#starts}`);
    const instance = await startIronleased("preview", this.#env, { logPath });
    this.#instances[index] = instance;
    this.#account.setTarget(index, instance.url);
    this.#operator.setTarget(index, instance.operatorUrl);
  }

  #instance(index: number): Daemon {
    const instance = this.#instances[index];
    if (instance === undefined) throw new Error(`There is no instance ${index}.`);
    return instance;
  }
}
