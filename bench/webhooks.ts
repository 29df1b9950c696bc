import { createWebhookPost } from "#server/adapters/webhook-post/webhook-post.ts";
import { placeOrder } from "#server/features/orders/place-order.ts";
import { sendDueWebhooks } from "#server/features/webhooks/send-webhooks.ts";
import type { Core } from "#server/kernel/core.ts";
import { register, testClient } from "#test/bare-core.ts";
import { subscribe } from "#test/outbox.ts";
import { freshKey, intentOf, valueOf } from "#test/use-cases.ts";
import { startReceiver, type WebhookReceiver } from "#test/webhook-receiver.ts";
import { recordOrders, subscribeUrl } from "#test/webhooks.ts";
import type { BenchService } from "./support/bench-service.ts";
import { timed, times } from "./support/chain-scans.ts";
import { benchOrder, giveMoney, withCore } from "./support/rental.ts";
import { workload } from "./support/workload.ts";

const { webhookMessages, webhookEndpoints, webhookOrders } = workload;

/**
 * Measures how many messages two instances send to one receiver, and what an order pays for its row in the outbox.
 */
export async function benchWebhooks({ engine, data, databaseUrl }: BenchService): Promise<void> {
  const receiver = await startReceiver();
  try {
    await withCore(data, databaseUrl, (first) =>
      withCore(data, databaseUrl, async (second) => {
        const [core, other] = [first, second].map(posting) as [Core, Core];
        await measureOrders(engine, core);
        await measureSending(engine, [core, other], receiver);
      }),
    );
  } finally {
    await receiver.close();
  }
}

function posting(core: Core): Core {
  const allowed = ["127.0.0.1"];
  return {
    ...core,
    postWebhook: createWebhookPost({ allowed }),
    rules: { ...core.rules, webhookNetworks: allowed },
  };
}

async function measureSending(
  engine: string,
  instances: readonly [Core, Core],
  receiver: WebhookReceiver,
): Promise<void> {
  const [core] = instances;
  for (let endpoint = 0; endpoint < webhookEndpoints; endpoint += 1) {
    const { accountId } = await subscribeUrl(core, receiver.url);
    await recordOrders(core, accountId, webhookMessages / webhookEndpoints);
  }
  const ms = await timed(async () => {
    await Promise.all(instances.map((instance) => sendDueWebhooks(instance)));
  });
  const ids = new Set(receiver.received.map(({ headers }) => headers["webhook-id"]));
  const perSecond = (ids.size / ms) * 1_000;
  console.log(
    `${engine} webhooks: two instances send ${ids.size} messages to ${webhookEndpoints} endpoints, ${perSecond.toFixed(0)} a second, ${receiver.received.length - ids.size} of them twice`,
  );
}

async function measureOrders(engine: string, core: Core): Promise<void> {
  const customerWith = async (endpoints: number) => {
    const { accountId, username } = await register(core, `webhooks-${endpoints}`);
    await giveMoney(core, username, webhookOrders * 1_000);
    for (let count = 0; count < endpoints; count += 1) {
      await subscribe(core, accountId, ["order.accepted"]);
    }
    return accountId;
  };
  const customers = [await customerWith(0), await customerWith(1), await customerWith(10)];
  const spent = customers.map(() => 0);
  for (let round = 0; round < workload.rounds + 1; round += 1) {
    for (const [index, accountId] of customers.entries()) {
      const ms = await timed(() => orders(core, accountId));
      // The first round warms up.
      if (round > 0) spent[index] = (spent[index] ?? 0) + ms;
    }
  }
  const [none = 0, one = 0, ten = 0] = spent;
  const each = none / workload.rounds / webhookOrders;
  console.log(
    `${engine} webhooks: an order takes ${times(one, none)} the time with one webhook and ${times(ten, none)} with ten (${each.toFixed(2)} ms without)`,
  );
  // Nothing listens there.
  await core.db.write(async (tx) => {
    await tx.deleteFrom("subscribers").where("account_id", "in", customers).execute();
    return { ok: true, value: undefined };
  });
}

async function orders(core: Core, accountId: string): Promise<void> {
  for (let order = 0; order < webhookOrders; order += 1) {
    const call = { accountId, client: testClient, intent: intentOf("placeOrder", freshKey()) };
    await valueOf(placeOrder(core, call, { ...benchOrder, term: "weekly" }));
  }
}
