import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";
const payouts = `${server}/features/payouts`;
const tests = ["test/chains/litecoin-payouts.test.ts"];
const simulated = ["test/simulation/simulation.test.ts"];

/** Payouts of withdrawals: what they pay, how often, and who approves them. */
export const payoutBugs: readonly PlantedBug[] = [
  {
    name: "payout-paid-by-hand-too",
    thought: "The status of a withdrawal already says whether it can be resolved.",
    file: `${server}/kernel/withdrawals.ts`,
    find: "    .where(sql<boolean>`coalesce(payout_id, '') = ${payoutId ?? \"\"}`)",
    replace: '    .where(sql<boolean>`${payoutId ?? ""} is not null`)',
    tests,
  },
  {
    name: "pins-stay-after-cancel",
    thought: "The pins of a cancelled payout do no harm.",
    file: `${payouts}/cancel-payout.ts`,
    find: '  await tx.deleteFrom("payout_pins").where("payout_id", "=", id).execute();\n',
    replace: "",
    tests: simulated,
  },
  {
    name: "preparer-broadcasts-alone",
    thought: "The operator who uploaded the signature is the second person.",
    file: `${payouts}/broadcast-payout.ts`,
    find: "if (preparedBy === call.operator.operatorId) {",
    replace: "if (preparedBy !== call.operator.operatorId) {",
    tests: simulated,
  },
  {
    name: "signature-accepted-for-other-outputs",
    thought: "The signer returns what it was given.",
    file: `${server}/adapters/chain-bitcoin/accept-payout.ts`,
    find: "  if (difference !== undefined) return refuse(difference);\n",
    replace: "",
    also: [
      {
        file: `${server}/adapters/chain-bitcoin/accept-payout.ts`,
        find: "    if (!isValid(transaction, index, witness)) {",
        replace: "    if (witness.length !== 2) {",
      },
    ],
    tests,
  },
  {
    name: "evidence-of-too-little",
    thought: "Any payment to the destination shows that the operator paid.",
    file: `${server}/adapters/chain-bitcoin/verify-payment.ts`,
    find: "  if (paid < amountUnits) {",
    replace: "  if (paid < 1n) {",
    tests,
  },
  {
    name: "transaction-pays-two-withdrawals",
    thought: "One transaction may pay several withdrawals.",
    file: `${server}/kernel/withdrawals.ts`,
    find: "  return owner === payerId;",
    replace: "  return owner !== undefined;",
    tests,
  },
  {
    name: "failed-at-the-first-block",
    thought: "A block that spends the same coins settles the matter.",
    file: `${payouts}/follow-payout.ts`,
    find: '({ fate }) => fate.kind === "FAILED" && fate.confirmations >= payout.confirmations_required,',
    replace: '({ fate }) => fate.kind === "FAILED",',
    tests,
  },
];
