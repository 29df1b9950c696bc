import { changeAccess } from "./access-changes.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { Client } from "./client.ts";
import { LoadCustomer, register } from "./customer.ts";
import { LoadOperator } from "./load-operator.ts";

const customerCount = 4;
const deliveriesPerRound = 2;
const maxRegistrations = 5;

export interface LoadOptions {
  readonly random: SeededRandom;
  /** Machines to add. The demo's own machines are enough for a short load. */
  readonly machines?: number;
}

/** Customers and an operator who send requests concurrently. */
export class Load {
  readonly #client: Client;
  readonly #name: string;
  readonly #operator: LoadOperator;
  readonly #customers: readonly LoadCustomer[];
  #rounds = 0;

  constructor(
    client: Client,
    name: string,
    operator: LoadOperator,
    customers: readonly LoadCustomer[],
  ) {
    this.#client = client;
    this.#name = name;
    this.#operator = operator;
    this.#customers = customers;
  }

  /** Creates customers with unique names and enough balance. */
  static async open(client: Client, name: string, options: LoadOptions): Promise<Load> {
    const { random, machines = 0 } = options;
    const operator = await LoadOperator.signIn(client);
    if (machines > 0) await operator.addMachines(name, machines);
    const customers = await Promise.all(
      Array.from({ length: customerCount }, async (_, index) => {
        const { username, session } = await registerCustomer(client, `${name}-${index}`);
        await operator.creditBalance(username, 50_000);
        return new LoadCustomer(client, random, username, session);
      }),
    );
    return new Load(client, name, operator, customers);
  }

  /** Each customer makes `steps` changes, while the operator delivers servers and a new account changes access. */
  async round(steps: number): Promise<void> {
    this.#rounds += 1;
    await Promise.all([
      ...this.#customers.map((customer) => this.#steps(customer, steps)),
      this.#deliver(),
      changeAccess(this.#client, `${this.#name}-access-${this.#rounds}`),
    ]);
  }

  async #steps(customer: LoadCustomer, steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) await customer.step();
  }

  async #deliver(): Promise<void> {
    for (let delivery = 0; delivery < deliveriesPerRound; delivery += 1) {
      const serverId = await this.#operator.deliver();
      if (serverId === undefined) return;
      for (const customer of this.#customers) customer.delivered(serverId);
    }
  }
}

/** After a 503 the account may or may not exist, so each attempt uses a new name. */
async function registerCustomer(client: Client, name: string) {
  for (let attempt = 1; attempt <= maxRegistrations; attempt += 1) {
    const username = `${name}-${attempt}`;
    const session = await register(client, username);
    if (session !== undefined) return { username, session };
  }
  throw new Error(`${name} could not register.`);
}
