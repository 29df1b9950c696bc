import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";

/** Balances, prices, deposits, and the keys that make a write happen once. */
export const moneyBugs: readonly PlantedBug[] = [
  {
    name: "debit-without-condition",
    thought: "The balance has a CHECK, so the statement need not look at it as well.",
    file: `${server}/kernel/ledger.ts`,
    find: "available_cents + ${available} between 0 and ${maxCents}",
    replace: "available_cents + ${available} <= ${maxCents}",
    tests: [`${server}/kernel/ledger.test.ts`, `${server}/features/orders/orders.test.ts`],
  },
  {
    name: "cause-not-unique",
    thought: "The idempotency key has a unique constraint already; one of them is enough.",
    file: `${server}/migrations/0002-ledger.ts`,
    find: "         constraint journal_cause_unique unique (cause),\n",
    replace: "",
    tests: [`${server}/kernel/ledger.test.ts`],
  },
  {
    name: "balance-without-check",
    thought: "The ledger's own condition keeps balances above zero.",
    file: `${server}/migrations/0002-ledger.ts`,
    find: "constraint balances_available_not_negative check (available_cents >= 0)",
    replace: "constraint balances_available_not_negative check (available_cents is not null)",
    tests: ["test/engine-conformance/own-constraints.test.ts"],
  },
  {
    name: "refund-rounding",
    thought: "A cent that does not divide is nobody's: every server's share is rounded down.",
    file: `${server}/kernel/catalogue.ts`,
    find: "least + (index < withOneMore ? 1 : 0)",
    replace: "least + (index < 0 ? 1 : 0)",
    tests: [
      `${server}/features/desk/abandon-provisioning.test.ts`,
      `${server}/http/handlers/operator/work.test.ts`,
    ],
  },
  {
    name: "discount-rounded-down",
    thought: "Integer division rounds, that is what it is for.",
    file: `${server}/kernel/catalogue.ts`,
    find: "keptParts + 5_000n) / 10_000n",
    replace: "keptParts) / 10_000n",
    tests: [`${server}/kernel/catalogue.test.ts`],
  },
  {
    name: "deposit-rounded-half-up",
    thought: "Prices are rounded half up, so deposits should be too.",
    file: `${server}/features/deposits/coin-amount.ts`,
    find: "return (units * rateUnits * 100n) / 10n ** BigInt(decimals + fraction.length);",
    replace:
      "const scale = 10n ** BigInt(decimals + fraction.length);\n  return (units * rateUnits * 100n + scale / 2n) / scale;",
    tests: [`${server}/features/deposits/coin-amount.test.ts`],
  },
  {
    name: "credit-below-confirmations",
    thought: "A payment that is in a block is as good as paid.",
    file: `${server}/features/deposits/record-output.ts`,
    find: "confirmations_required: handedOut.confirmations_required,",
    replace: "confirmations_required: Math.min(1, handedOut.confirmations_required),",
    tests: [`${server}/features/deposits/watch-settlement.test.ts`],
  },
  {
    name: "one-credit-per-transaction",
    thought: "A transaction pays an address once.",
    file: `${server}/features/deposits/record-output.ts`,
    find: '    .where("output_index", "=", output.outputIndex)\n',
    replace: "",
    tests: [
      `${server}/features/deposits/watch-settlement.test.ts`,
      `${server}/features/deposits/record-news.test.ts`,
    ],
  },
  {
    name: "replay-of-another-request",
    thought: "Whoever sends the same key means the same thing.",
    file: `${server}/kernel/idempotency.ts`,
    find: '  if (recorded.request_hash !== requestHash) return refuse("idempotency_conflict");\n',
    replace: "",
    tests: [`${server}/features/actions/request-action-keys.test.ts`],
  },
  {
    name: "key-looked-up-after-the-state",
    thought: "Why look at the key when the server takes no actions anyway?",
    file: `${server}/features/actions/request-action.ts`,
    find: "    if (!server.ok) return server;\n",
    replace:
      '    if (!server.ok) return server;\n    if (!takesActions(server.value.state)) return refuse("server_not_ready");\n',
    tests: [`${server}/features/actions/request-action-keys.test.ts`],
  },
  {
    name: "last-machine-sold-twice",
    thought: "Machines are picked in one statement, so counting them first is a detour.",
    file: `${server}/kernel/inventory.ts`,
    find: '      .where("free", ">=", quantity)\n',
    replace: "",
    tests: [`${server}/kernel/inventory.test.ts`, `${server}/features/orders/orders.test.ts`],
  },
  {
    name: "client-makes-a-new-key",
    thought: "Every request needs a fresh key, or the service refuses it.",
    file: "packages/client/src/send.ts",
    find: '{ "idempotency-key": key }',
    replace: '{ "idempotency-key": call.isLost ? crypto.randomUUID() : key }',
    tests: ["packages/client/src/lost-answers.test.ts"],
  },
  {
    name: "client-believes-a-late-refusal",
    thought: "The service has refused, so nothing has happened.",
    file: "packages/client/src/judge.ts",
    find: 'return past.isLost && !settles.has(code) ? "unknown" : "refused";',
    replace: 'return "refused";',
    tests: ["packages/client/src/judge.test.ts"],
  },
];
