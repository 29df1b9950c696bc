import { setTimeout as delay } from "node:timers/promises";
import { benchOrder } from "../../bench/support/rental.ts";
import { createSessionClient, OutcomeUnknown } from "#client/index.ts";
import { createNodeFetch, type NodeFetch } from "#client/node.ts";
import { createOperatorClient, type OperatorClient } from "#client/operator.ts";
import type { Caller, MarketCustomer } from "../load/market.ts";
import { destination } from "#test/desk.ts";
import type { Book } from "./book.ts";
import type { Cluster } from "./cluster.ts";

/** How often an operator looks whether a step was done whose answer was lost. */
const mostLooks = 5;

/** What a run is made of, until it is over. */
export interface Run {
  readonly cluster: Cluster;
  readonly book: Book;
  readonly random: () => number;
  /** Between two calls of one caller. */
  readonly pauseMs: number;
  readonly goesOn: () => boolean;
}

/** A customer with the client that customers use, who does one thing after the other. */
export async function beCustomer(run: Run, customer: MarketCustomer): Promise<void> {
  const { cluster, book, random, pauseMs, goesOn } = run;
  const fetch = countingFetch(cluster, book);
  const client = createSessionClient({ baseUrl: cluster.url, fetch });
  client.session.import(sessionOf(cluster.url, customer.username, customer));
  let ready: readonly { readonly id: string }[] = [];
  const steps: readonly ((key: string) => Promise<unknown>)[] = [
    () => book.call("readAccount", () => client.readAccount()),
    () => book.call("readLedger", () => client.readLedger()),
    () => book.call("readQuote", () => client.readQuote({ ...benchOrder, term: "weekly" })),
    async () => {
      const listed = await book.call("listServers", () => client.listServers());
      ready = listed?.servers.filter(({ state }) => state === "ACTIVE") ?? ready;
    },
    (idempotencyKey) =>
      book.write("placeOrder", idempotencyKey, () =>
        client.placeOrder({ ...benchOrder, term: "weekly" }, { idempotencyKey }),
      ),
    (idempotencyKey) =>
      book.write("requestWithdrawal", idempotencyKey, () =>
        client.requestWithdrawal({ asset: "ETH", destination, usd: 2 }, { idempotencyKey }),
      ),
    (idempotencyKey) =>
      book.write("createDepositAddress", idempotencyKey, () =>
        client.createDepositAddress({ asset: "USDT" }, { idempotencyKey }),
      ),
    async (idempotencyKey) => {
      const server = ready[Math.floor(random() * ready.length)];
      if (server === undefined) return;
      await book.write("requestAction", idempotencyKey, () =>
        client.requestAction({ id: server.id, action: "reboot" }, { idempotencyKey }),
      );
    },
  ];
  for (let turn = 0; goesOn(); turn += 1) {
    await steps[Math.floor(random() * steps.length)]?.(`${customer.username}-key-${turn}`);
    await delay(pauseMs);
  }
  fetch.close();
}

/** An operator who does whatever is open. */
export async function beOperator(run: Run, operator: Caller): Promise<void> {
  const { cluster, book, pauseMs, goesOn } = run;
  const fetch = countingFetch(cluster, book);
  const client = createOperatorClient({ baseUrl: cluster.operatorUrl, fetch });
  client.session.import(sessionOf(cluster.operatorUrl, "operator", operator));
  while (goesOn()) {
    const listed = await book.call("listWork", () => client.listWork({ state: "OPEN" }));
    for (const { id, kind } of listed?.work ?? []) {
      if (!goesOn()) break;
      const claimed = await book.call("claimWork", () => client.claimWork({ id }));
      if (claimed === undefined) continue;
      const body = kind === "WITHDRAWAL" ? { transactionId: `paid-${id}` } : {};
      if (await complete(book, client, { id, ...body })) book.completed.add(id);
    }
    await delay(pauseMs);
  }
  fetch.close();
}

/**
 * Completing is never sent twice by itself. Where the answer is lost, the client says where to look, and
 * what is not done yet is done again.
 */
async function complete(
  book: Book,
  client: OperatorClient,
  step: { readonly id: string; readonly transactionId?: string },
): Promise<boolean> {
  const { id } = step;
  for (let look = 0; look < mostLooks; look += 1) {
    try {
      return (await book.call("completeWork", () => client.completeWork(step))) !== undefined;
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error;
    }
    const item = await book.call("readWork", () => client.readWork({ id }));
    if (item?.state === "DONE") return true;
  }
  return false;
}

function countingFetch(cluster: Cluster, book: Book): NodeFetch {
  const inner = createNodeFetch({ ca: cluster.ca });
  const fetch = (...sent: Parameters<NodeFetch>) => {
    book.sendings += 1;
    return inner(...sent);
  };
  return Object.assign(fetch, { close: () => inner.close() });
}

/** The two cookies hold the two secrets as they are. */
function sessionOf(origin: string, username: string, { cookie, csrfToken }: Caller) {
  const [session = "", csrf = ""] = cookie
    .split("; ")
    .map((pair) => pair.slice(pair.indexOf("=") + 1));
  return { origin, username, csrfToken, sessionCookie: session, csrfCookie: csrf };
}
