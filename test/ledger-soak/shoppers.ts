import { setTimeout } from "node:timers/promises";
import { benchOrder } from "../../bench/support/rental.ts";
import { customerName, soakPassword } from "./old-ledger.ts";

/** A customer with a ledger of an earlier version, signed in. */
export interface Shopper {
  readonly port: number;
  readonly name: string;
  readonly cookie: string;
  readonly csrfToken: string;
}

/** Between two orders of a customer, so that the load stays far below the service's capacity. */
const pauseMs = 200;

let orders = 0;

export async function signIn(port: number, index: number): Promise<Shopper> {
  const name = customerName(index);
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: name, password: soakPassword }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const { csrfToken } = (await answer.json()) as { csrfToken: string };
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  return { port, name, cookie, csrfToken };
}

/** Returns how long each order took in milliseconds. Fails if one is refused. */
export async function orderRepeatedly(
  shopper: Shopper,
  over: AbortSignal,
): Promise<readonly number[]> {
  const latencies: number[] = [];
  while (!over.aborted) {
    const sentAt = performance.now();
    await placeOrder(shopper);
    latencies.push(performance.now() - sentAt);
    await setTimeout(pauseMs);
  }
  return latencies;
}

async function placeOrder({ port, name, cookie, csrfToken }: Shopper): Promise<void> {
  orders += 1;
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/orders`, {
    method: "POST",
    headers: {
      cookie,
      "x-csrf-token": csrfToken,
      "content-type": "application/json",
      "idempotency-key": `soak-${process.pid}-${orders}`,
    },
    body: JSON.stringify(benchOrder),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`an order of ${name} was answered with ${text}`);
}
