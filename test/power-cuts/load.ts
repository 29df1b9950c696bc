import { changeAccess } from "./access-changes.ts";
import type { Chance } from "./chance.ts";
import type { Client } from "./client.ts";
import { LoadCustomer, register } from "./customer.ts";
import { LoadOperator } from "./load-operator.ts";

const customers = 4;
const deliveriesAtOnce = 2;
const maxRegistrations = 5;

export interface LoadOptions {
  readonly chance: Chance;
  /** Besides those of the demo, which are enough for a short load. */
  readonly machines?: number;
}

/** Customers and an operator who all do something at once, for as long as they are told. */
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
    everybody: readonly LoadCustomer[],
  ) {
    this.#client = client;
    this.#name = name;
    this.#operator = operator;
    this.#customers = everybody;
  }

  /** Customers with names of their own and money for all of it. */
  static async open(client: Client, name: string, options: LoadOptions): Promise<Load> {
    const { chance, machines = 0 } = options;
    const operator = await LoadOperator.signIn(client);
    if (machines > 0) await operator.addMachines(name, machines);
    const everybody = await Promise.all(
      Array.from({ length: customers }, async (_, index) => {
        const { username, session } = await registerCustomer(client, `${name}-${index}`);
        await operator.giveMoney(username, 50_000);
        return new LoadCustomer(client, chance, username, session);
      }),
    );
    return new Load(client, name, operator, everybody);
  }

  /** So many changes of each customer, with a delivery or two and one change of access meanwhile. */
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
    for (let delivery = 0; delivery < deliveriesAtOnce; delivery += 1) {
      const serverId = await this.#operator.deliver();
      if (serverId === undefined) return;
      for (const customer of this.#customers) customer.delivered(serverId);
    }
  }
}

/** A 503 leaves open whether the account exists, so each attempt has a name of its own. */
async function registerCustomer(client: Client, name: string) {
  for (let attempt = 1; attempt <= maxRegistrations; attempt += 1) {
    const username = `${name}-${attempt}`;
    const session = await register(client, username);
    if (session !== undefined) return { username, session };
  }
  throw new Error(`${name} could not register`);
}
