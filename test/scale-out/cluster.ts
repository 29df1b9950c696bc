import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runIronleased, startIronleased, type Daemon, type Ended } from "#test/daemon.ts";
import { noActionLimits } from "#test/no-action-limits.ts";
import { Balancer } from "./balancer.ts";

type Env = Readonly<Record<string, string>> & { readonly IRONLEASE_DATA: string };

const size = 3;

/** Three instances on one PostgreSQL, behind one address for customers and one for operators. */
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
    // The first makes the certificate that all of them show.
    await cluster.#begin(0);
    await Promise.all([cluster.#begin(1), cluster.#begin(2)]);
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

  /** One instance after the other, as an upgrade does: each is stopped in order and started again. */
  async restartAll(): Promise<void> {
    for (let index = 0; index < size; index += 1) {
      const code = await this.#at(index).stop();
      if (code !== 0) throw new Error(`an instance that was asked to stop ended with ${code}`);
      await this.#begin(index);
    }
  }

  /** Ends an instance as a power failure does, and starts it again. */
  async kill(index: number): Promise<void> {
    await this.#at(index).stop("SIGKILL");
    await this.#begin(index);
  }

  verify(): Promise<Ended> {
    return runIronleased(["verify"], this.#env);
  }

  async stop(): Promise<void> {
    const codes = await Promise.all(this.#instances.map((instance) => instance.stop()));
    await Promise.all([this.#account.close(), this.#operator.close()]);
    if (codes.some((code) => code !== 0))
      throw new Error(`the instances ended with ${codes.join(", ")}`);
  }

  async #begin(index: number): Promise<void> {
    this.#starts += 1;
    // In a file of its own each time, since its address is read from it.
    const log = join(this.#env.IRONLEASE_DATA, `log-${this.#starts}`);
    const instance = await startIronleased("preview", this.#env, { logPath: log });
    this.#instances[index] = instance;
    this.#account.place(index, instance.url);
    this.#operator.place(index, instance.operatorUrl);
  }

  #at(index: number): Daemon {
    const instance = this.#instances[index];
    if (instance === undefined) throw new Error(`there is no instance ${index}`);
    return instance;
  }
}
