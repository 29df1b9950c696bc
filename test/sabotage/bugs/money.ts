import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";

/** Balances, prices, deposits and idempotency. */
export const moneyBugs: readonly PlantedBug[] = [
  {
    name: "debit-without-condition",
    thought: "The balance has a CHECK constraint, so the statement need not check it as well.",
    file: `${server}/kernel/ledger.ts`,
    find: "available_cents + ${available} between 0 and ${maxCents}",
    replace: "available_cents + ${available} <= ${maxCents}",
    tests: [`${server}/kernel/ledger.test.ts`, `${server}/features/orders/orders.test.ts`],
  },
  {
    name: "cause-not-unique",
    thought: "The idempotency key is already unique, and one unique constraint is enough.",
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
    tests: ["test/engine-conformance/schema-constraints.test.ts"],
  },
  {
    name: "refund-rounding",
    thought: "The total does not divide evenly, so round every server's share down.",
    file: `${server}/kernel/catalogue.ts`,
    find: "least + (index < withOneMore ? 1 : 0)",
    replace: "least + (index < 0 ? 1 : 0)",
    tests: [
      `${server}/features/servers/abandon-provisioning.test.ts`,
      `${server}/http/handlers/operator/work.test.ts`,
    ],
  },
  {
    name: "discount-rounded-down",
    thought: "Integer division rounds to the nearest cent.",
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
    thought: "One confirmation is enough for a payment.",
    file: `${server}/features/deposits/record-output.ts`,
    find: "confirmations_required: handedOut.confirmations_required,",
    replace: "confirmations_required: Math.min(1, handedOut.confirmations_required),",
    tests: [`${server}/features/deposits/watch-settlement.test.ts`],
  },
  {
    name: "one-credit-per-transaction",
    thought: "A transaction pays an address only once.",
    file: `${server}/features/deposits/record-output.ts`,
    find: '    .where("output_index", "=", output.outputIndex)\n',
    replace: "",
    tests: [
      `${server}/features/deposits/watch-settlement.test.ts`,
      `${server}/features/deposits/record-news.test.ts`,
    ],
  },
  {
    name: "replays-another-request",
    thought: "The same key always belongs to the same request.",
    file: `${server}/kernel/idempotency.ts`,
    find: " || recorded.request_hash !== requestHash",
    replace: "",
    tests: [`${server}/features/servers/request-action-keys.test.ts`],
  },
  {
    name: "key-checked-after-the-state",
    thought: "If the server takes no actions, there is no need to check the key.",
    file: `${server}/features/servers/request-action.ts`,
    find: "    if (!server.ok) return server;\n",
    replace:
      '    if (!server.ok) return server;\n    if (!takesActions(server.value.state)) return refuse("server_not_ready");\n',
    tests: [`${server}/features/servers/request-action-keys.test.ts`],
  },
  {
    name: "last-machine-sold-twice",
    thought: "One statement picks the machines, so checking the count first is unnecessary.",
    file: `${server}/kernel/inventory.ts`,
    find: '      .where("free", ">=", quantity)\n',
    replace: "",
    tests: [`${server}/kernel/inventory.test.ts`, `${server}/features/orders/orders.test.ts`],
  },
  {
    name: "client-retries-with-new-key",
    thought: "Every attempt needs a new key, or the service refuses it.",
    file: "packages/client/src/send.ts",
    find: '{ "idempotency-key": key }',
    replace: '{ "idempotency-key": call.isLost ? crypto.randomUUID() : key }',
    tests: ["packages/client/src/lost-answers.test.ts"],
  },
  {
    name: "client-trusts-late-refusal",
    thought: "The service refused the retry, so the first attempt had no effect.",
    file: "packages/client/src/judge.ts",
    find: 'return past.isLost && !settles.has(code) ? "unknown" : "refused";',
    replace: 'return "refused";',
    tests: ["packages/client/src/judge.test.ts"],
  },
  {
    name: "client-accepts-any-conflict",
    thought:
      "The key is recorded and the caller says that it is a retry, so the withdrawal exists.",
    file: "packages/client/src/find-withdrawal.ts",
    find: "  if (isComplete && fitting.length === 0) return { isPossible: false, id: null };\n",
    replace: "",
    tests: ["packages/client/src/lost-answers.test.ts"],
  },
  {
    name: "cli-confirms-unverified-destination",
    thought: "The asset and the amount match, so the destination matches too.",
    file: "packages/cli/src/steps/request-withdrawal.ts",
    find: "    if (!isOurs) throw unverified(answer);\n",
    replace: "",
    tests: ["test/cli/money.test.ts"],
  },
];
