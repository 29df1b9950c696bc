import { cookiesOf } from "#test/service.ts";
import { present, type Call } from "./acknowledgement.ts";
import type { Client } from "./client.ts";
import { regions } from "./customer.ts";

export const operatorPassword = "the pass phrase of the desk";

/** An operator who credits customers and delivers their servers. */
export class LoadOperator {
  readonly #client: Client;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(client: Client, headers: Readonly<Record<string, string>>) {
    this.#client = client;
    this.#headers = headers;
  }

  static async signIn(client: Client): Promise<LoadOperator> {
    const body = { username: "operator", password: operatorPassword };
    const path = "/operator/v1/auth/login";
    const answer = await client.sendUntilAnswered({ side: "desk", method: "POST", path, body });
    const { csrfToken } = answer.json;
    return new LoadOperator(client, {
      cookie: cookiesOf(answer).join("; "),
      "x-csrf-token": csrfToken,
    });
  }

  async addMachines(name: string, count: number): Promise<void> {
    const machines = Array.from({ length: count }, (_, index) => ({
      assetTag: `${name}-${index}`,
      configId: "metal-s",
      regionId: regions[index % regions.length],
    }));
    await this.#client.sendUntilAnswered(this.#call("POST", "/operator/v1/machines", { machines }));
  }

  /** A /16 in each region, because the demo's subnets are full after some hundred deliveries. Only once. */
  async addSubnets(): Promise<void> {
    for (const [index, regionId] of regions.entries()) {
      const body = { regionId, cidr: `10.${index}.0.0/16` };
      await this.#client.change(this.#call("POST", "/operator/v1/subnets", body), ({ id }) => ({
        facts: [present("subnets", { id })],
      }));
    }
  }

  async creditBalance(username: string, usd: number): Promise<void> {
    const found = await this.#client.sendUntilAnswered(
      this.#call("GET", `/operator/v1/accounts?query=${username}`),
    );
    const path = `/operator/v1/accounts/${found.json.accounts[0].id}/adjustments`;
    const call = this.#call("POST", path, { usd, reason: "to spend" });
    const headers = { ...call.headers, "idempotency-key": `money-${username}` };
    await this.#client.change({ ...call, headers }, ({ id }) => ({
      facts: [present("journal", { id })],
    }));
  }

  /** Delivers the oldest waiting server and returns its id, or undefined when there is none. */
  async deliver(): Promise<string | undefined> {
    const { json } = await this.#client.sendUntilAnswered(
      this.#call("GET", "/operator/v1/work?kind=PROVISION&state=OPEN"),
    );
    const [item] = json.work as { readonly id: string; readonly serverId: string }[];
    if (item === undefined) return undefined;
    const path = `/operator/v1/work/${item.id}`;
    await this.#client.sendUntilAnswered(this.#call("POST", `${path}/claim`));
    const done = await this.#client.change(this.#call("POST", `${path}/complete`, {}), () => ({
      facts: [
        present("work", { id: item.id, state: "DONE" }),
        present("servers", { id: item.serverId, state: "ACTIVE" }),
      ],
    }));
    return done && item.serverId;
  }

  #call(method: string, path: string, body?: unknown): Call {
    return { side: "desk", method, path, body, headers: this.#headers };
  }
}
