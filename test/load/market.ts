import type { Answer } from "#test/https-client.ts";

/** Somebody who is signed in, as far as a request needs it. */
export interface Caller {
  readonly cookie: string;
  readonly csrfToken: string;
}

export interface MarketCustomer extends Caller {
  readonly accountId: string;
  readonly username: string;
}

interface OpenWork {
  readonly id: string;
  readonly kind: string;
  readonly accountId: string;
  readonly serverId?: string;
}

/** What the service has said it has done. */
export interface Acknowledged {
  readonly orders: string[];
  readonly withdrawals: string[];
  readonly actions: string[];
  readonly completed: string[];
}

/** What the customers and operators of a run know: enough to send only requests that must succeed. */
export class Market {
  readonly random: () => number;
  readonly customers: readonly MarketCustomer[];
  readonly operator: Caller;
  /** Customers who can sign in with a password. */
  readonly signers: readonly string[];
  readonly acknowledged: Acknowledged = { orders: [], withdrawals: [], actions: [], completed: [] };
  readonly addresses: string[] = [];
  readonly open: OpenWork[] = [];
  readonly claimed: OpenWork[] = [];
  /** Delivered servers, each with the place of its owner. */
  readonly servers: { readonly id: string; readonly owner: MarketCustomer }[] = [];
  readonly #byAccount: ReadonlyMap<string, MarketCustomer>;
  /** Whether the queue is being read just now. */
  isListing = false;
  /** The youngest item that was listed: what comes after it has not been seen. */
  #lastListed: string | undefined;
  readonly #name: string;
  #keys = 0;

  constructor(
    random: () => number,
    people: Pick<Market, "customers" | "operator" | "signers">,
    name: string,
  ) {
    this.random = random;
    this.customers = people.customers;
    this.operator = people.operator;
    this.signers = people.signers;
    this.#byAccount = new Map(people.customers.map((one) => [one.accountId, one]));
    this.#name = name;
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.random() * from.length)];
  }

  customer(): MarketCustomer {
    const customer = this.pick(this.customers);
    if (customer === undefined) throw new Error("there are no customers");
    return customer;
  }

  nextKey(): string {
    this.#keys += 1;
    return `${this.#name}-${this.#keys}`;
  }

  /** Where the next page of the queue begins, as a query says it. */
  get afterListed(): string {
    return this.#lastListed === undefined ? "" : `&after=${this.#lastListed}`;
  }

  listed({ json }: Answer): void {
    const { work } = json as { work: OpenWork[] };
    this.open.push(...work);
    this.#lastListed = work.at(-1)?.id ?? this.#lastListed;
    this.isListing = false;
  }

  completed(item: OpenWork): void {
    this.acknowledged.completed.push(item.id);
    const owner = this.#byAccount.get(item.accountId);
    if (item.kind !== "PROVISION" || item.serverId === undefined || owner === undefined) return;
    this.servers.push({ id: item.serverId, owner });
  }
}
