import type { Answer } from "#test/https-client.ts";

/** The credentials of a signed-in customer or operator. */
export interface Caller {
  readonly cookie: string;
  readonly csrfToken: string;
}

export interface SignedInCustomer extends Caller {
  readonly accountId: string;
  readonly username: string;
}

interface OpenWork {
  readonly id: string;
  readonly kind: string;
  readonly accountId: string;
  readonly serverId?: string;
}

/** Ids of the writes that the service has acknowledged. */
export interface Acknowledged {
  readonly orders: string[];
  readonly withdrawals: string[];
  readonly actions: string[];
  readonly completed: string[];
}

/** What the simulated customers and operators know: enough to send only requests that must succeed. */
export class Workload {
  readonly random: () => number;
  readonly customers: readonly SignedInCustomer[];
  readonly operator: Caller;
  /** Usernames of customers who can sign in with a password. */
  readonly signInUsernames: readonly string[];
  readonly acknowledged: Acknowledged = { orders: [], withdrawals: [], actions: [], completed: [] };
  readonly addresses: string[] = [];
  readonly open: OpenWork[] = [];
  readonly claimed: OpenWork[] = [];
  /** Delivered servers with their owners. */
  readonly servers: { readonly id: string; readonly owner: SignedInCustomer }[] = [];
  readonly #byAccount: ReadonlyMap<string, SignedInCustomer>;
  /** Whether a request for the work queue is in flight. */
  isListInFlight = false;
  /** Cursor: the last listed work item. */
  #lastListed: string | undefined;
  readonly #name: string;
  #keys = 0;

  constructor(
    random: () => number,
    population: Pick<Workload, "customers" | "operator" | "signInUsernames">,
    name: string,
  ) {
    this.random = random;
    this.customers = population.customers;
    this.operator = population.operator;
    this.signInUsernames = population.signInUsernames;
    this.#byAccount = new Map(population.customers.map((one) => [one.accountId, one]));
    this.#name = name;
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.random() * from.length)];
  }

  customer(): SignedInCustomer {
    const customer = this.pick(this.customers);
    if (customer === undefined) throw new Error("The population has no customers.");
    return customer;
  }

  nextKey(): string {
    this.#keys += 1;
    return `${this.#name}-${this.#keys}`;
  }

  /** The query parameter that selects the next page of the work queue. */
  get nextPageQuery(): string {
    return this.#lastListed === undefined ? "" : `&after=${this.#lastListed}`;
  }

  listed({ json }: Answer): void {
    const { work } = json as { work: OpenWork[] };
    this.open.push(...work);
    this.#lastListed = work.at(-1)?.id ?? this.#lastListed;
    this.isListInFlight = false;
  }

  completed(item: OpenWork): void {
    this.acknowledged.completed.push(item.id);
    const owner = this.#byAccount.get(item.accountId);
    if (item.kind !== "PROVISION" || item.serverId === undefined || owner === undefined) return;
    this.servers.push({ id: item.serverId, owner });
  }
}
