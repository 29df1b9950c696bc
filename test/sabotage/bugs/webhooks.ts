import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";
const outbox = `${server}/kernel/outbox`;
const webhooks = `${server}/features/webhooks`;
const sending = `${webhooks}/send-webhooks.test.ts`;
const posting = `${server}/adapters/webhook-post`;

/** The outbox and the webhooks that it feeds. */
export const webhookBugs: readonly PlantedBug[] = [
  {
    name: "event-of-every-account",
    thought: "Subscribers ask for events by name.",
    file: `${outbox}/record-event.ts`,
    find: 'accountId === undefined ? subscribers : subscribers.where("account_id", "=", accountId)',
    replace: "accountId === undefined ? subscribers : subscribers",
    tests: [sending],
  },
  {
    name: "renewal-without-its-event",
    thought: "The ledger shows the charge.",
    file: `${server}/features/renewals/batch-steps.ts`,
    find: "    await recordEvents(this.#transaction, this.#events);\n",
    replace: "    void recordEvents;\n",
    tests: [`${server}/features/renewals/due-server.test.ts`, "test/simulation/simulation.test.ts"],
  },
  {
    name: "retry-for-ever",
    thought: "The receiver will be back one day.",
    file: `${outbox}/retries.ts`,
    find: "  return at > firstDueAt + retryForMs ? null : at;\n",
    replace: "  return at;\n",
    tests: [sending],
  },
  {
    name: "replaced-secret-signs-no-more",
    thought: "The customer has the new secret.",
    file: `${webhooks}/send-to-webhook.ts`,
    find: "(row.previousUntil ?? 0) > clock.now()",
    replace: "(row.previousUntil ?? 0) > clock.now() + 86_400_000",
    tests: [sending],
  },
  {
    name: "first-address-checked-only",
    thought: "All addresses of a name belong to the same owner.",
    file: `${posting}/permitted-addresses.ts`,
    find: "!addresses.every(isPermitted)",
    replace: "!addresses.slice(0, 1).every(isPermitted)",
    tests: [`${posting}/webhook-post.test.ts`],
  },
  {
    name: "address-resolved-again",
    thought: "Node resolves the name itself.",
    file: `${posting}/webhook-post.ts`,
    find: "    lookup: pinnedTo(addresses),\n",
    replace: "    ...(addresses.length === 0 && { lookup: pinnedTo(addresses) }),\n",
    tests: [`${posting}/webhook-post.test.ts`],
  },
  {
    name: "delivery-sent-again-without-the-account",
    thought: "The webhook is checked already.",
    file: `${outbox}/requested-deliveries.ts`,
    find: '    .where("subscriber_id", "=", subscriberId)\n    .where("id", "=", deliveryId)\n    .where("account_id", "=", accountId)\n',
    replace: '    .where("id", "=", deliveryId)\n',
    tests: [`${webhooks}/webhooks.test.ts`],
  },
  {
    name: "low-balance-at-every-pass",
    thought: "A low balance is important enough.",
    file: `${server}/features/renewals/tell-low-balances.ts`,
    find: "    if (warned === undefined) return ok();\n",
    replace: "    void warned;\n",
    tests: [`${server}/features/renewals/tell-low-balances.test.ts`],
  },
];
