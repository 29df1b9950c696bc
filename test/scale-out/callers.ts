import { setTimeout as delay } from "node:timers/promises";
import { benchOrder } from "../../bench/support/rental.ts";
import { createSessionClient, OutcomeUnknown } from "#client/index.ts";
import { createNodeFetch, type NodeFetch } from "#client/node.ts";
import { createOperatorClient, type OperatorClient } from "#client/operator.ts";
import type { Caller, SignedInCustomer } from "../load/workload.ts";
import { destination } from "#test/desk.ts";
import type { CallLog } from "./call-log.ts";
import type { Cluster } from "./cluster.ts";

/** How often an operator tries to complete a work item whose outcome is unknown. */
const maxCompletionAttempts = 5;

export interface CallerRun {
  readonly cluster: Cluster;
  readonly callLog: CallLog;
  readonly random: () => number;
  /** Pause between two calls of one caller. */
  readonly pauseMs: number;
  readonly shouldContinue: () => boolean;
}

/** Makes random calls, one after the other, with the published client. */
export async function runCustomer(run: CallerRun, customer: SignedInCustomer): Promise<void> {
  const { cluster, callLog, random, pauseMs, shouldContinue } = run;
  const fetch = countingFetch(cluster, callLog);
  const client = createSessionClient({ baseUrl: cluster.url, fetch });
  client.session.import(sessionOf(cluster.url, customer.username, customer));
  let activeServers: readonly { readonly id: string }[] = [];
  const steps: readonly ((key: string) => Promise<unknown>)[] = [
    () => callLog.call("readAccount", () => client.readAccount()),
    () => callLog.call("readLedger", () => client.readLedger()),
    () => callLog.call("readQuote", () => client.readQuote({ ...benchOrder, term: "weekly" })),
    async () => {
      const listed = await callLog.call("listServers", () => client.listServers());
      activeServers = listed?.servers.filter(({ state }) => state === "ACTIVE") ?? activeServers;
    },
    (idempotencyKey) =>
      callLog.write("placeOrder", idempotencyKey, () =>
        client.placeOrder({ ...benchOrder, term: "weekly" }, { idempotencyKey }),
      ),
    (idempotencyKey) =>
      callLog.write("requestWithdrawal", idempotencyKey, () =>
        client.requestWithdrawal({ asset: "ETH", destination, usd: 2 }, { idempotencyKey }),
      ),
    (idempotencyKey) =>
      callLog.write("createDepositAddress", idempotencyKey, () =>
        client.createDepositAddress({ asset: "USDT" }, { idempotencyKey }),
      ),
    async (idempotencyKey) => {
      const server = activeServers[Math.floor(random() * activeServers.length)];
      if (server === undefined) return;
      await callLog.write("requestAction", idempotencyKey, () =>
        client.requestAction({ id: server.id, action: "reboot" }, { idempotencyKey }),
      );
    },
  ];
  for (let step = 0; shouldContinue(); step += 1) {
    await steps[Math.floor(random() * steps.length)]?.(`${customer.username}-key-${step}`);
    await delay(pauseMs);
  }
  fetch.close();
}

/** Claims and completes every open work item. */
export async function runOperator(run: CallerRun, operator: Caller): Promise<void> {
  const { cluster, callLog, pauseMs, shouldContinue } = run;
  const fetch = countingFetch(cluster, callLog);
  const client = createOperatorClient({ baseUrl: cluster.operatorUrl, fetch });
  client.session.import(sessionOf(cluster.operatorUrl, "operator", operator));
  while (shouldContinue()) {
    const listed = await callLog.call("listWork", () => client.listWork({ state: "OPEN" }));
    for (const { id, kind } of listed?.work ?? []) {
      if (!shouldContinue()) break;
      const claimed = await callLog.call("claimWork", () => client.claimWork({ id }));
      if (claimed === undefined) continue;
      const body = kind === "WITHDRAWAL" ? { transactionId: `paid-${id}` } : {};
      if (await complete(callLog, client, { id, ...body })) callLog.completed.add(id);
    }
    await delay(pauseMs);
  }
  fetch.close();
}

/**
 * The client never retries completeWork. When the answer is lost, it reports an unknown outcome, and the
 * operator reads the work item and completes it again unless it is done.
 */
async function complete(
  callLog: CallLog,
  client: OperatorClient,
  step: { readonly id: string; readonly transactionId?: string },
): Promise<boolean> {
  const { id } = step;
  for (let attempt = 0; attempt < maxCompletionAttempts; attempt += 1) {
    try {
      return (await callLog.call("completeWork", () => client.completeWork(step))) !== undefined;
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error;
    }
    const item = await callLog.call("readWork", () => client.readWork({ id }));
    if (item?.state === "DONE") return true;
  }
  return false;
}

function countingFetch(cluster: Cluster, callLog: CallLog): NodeFetch {
  const inner = createNodeFetch({ ca: cluster.ca });
  const fetch = (...sent: Parameters<NodeFetch>) => {
    callLog.attempts += 1;
    return inner(...sent);
  };
  return Object.assign(fetch, { close: () => inner.close() });
}

/** Extracts the session and CSRF secrets, which the cookies contain unencoded. */
function sessionOf(origin: string, username: string, { cookie, csrfToken }: Caller) {
  const [session = "", csrf = ""] = cookie
    .split("; ")
    .map((pair) => pair.slice(pair.indexOf("=") + 1));
  return { origin, username, csrfToken, sessionCookie: session, csrfCookie: csrf };
}
