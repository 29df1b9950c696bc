import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";

/** Signed liabilities and their verification. */
export const liabilityBugs: readonly PlantedBug[] = [
  {
    name: "liability-sums-not-hashed",
    thought: "The hashes of the children cover their balances already.",
    file: `${server}/kernel/merkle-sum-tree.ts`,
    find: "tagged(1, { left: { ...left }, right: { ...right } })",
    replace: "tagged(1, { left: left.hash, right: right.hash })",
    tests: [`${server}/kernel/liability-chunks.test.ts`],
  },
  {
    name: "liability-salt-known",
    thought: "The account id is secret enough to be the salt.",
    file: `${server}/kernel/liability-chunks.ts`,
    find: 'createHmac("sha256", secret).update(accountId)',
    replace: 'createHmac("sha256", secret.slice(0, 0)).update(accountId)',
    tests: [`${server}/kernel/liability-chunks.test.ts`],
  },
  {
    name: "liability-held-left-out",
    thought: "Held money is on its way to the customer, so it is not owed any more.",
    file: `${server}/kernel/liability-trees.ts`,
    find: "sql<number>`available_cents + held_cents`",
    replace: "sql<number>`available_cents + 0`",
    tests: ["test/liabilities.test.ts"],
  },
  {
    name: "liability-tree-overwritten",
    thought: "Only the job writes the table, so it needs no trigger.",
    file: `${server}/migrations/0027-liabilities.ts`,
    find: '      ...appendOnly("liability_trees", dialect),\n',
    replace: "",
    tests: ["test/liabilities.test.ts"],
  },
  {
    name: "liability-signed-for-the-past",
    thought: "The date has no tree yet, so it is due.",
    file: `${server}/features/liabilities/sign-liabilities.ts`,
    find: "newest.date >= date",
    replace: "newest.date === date",
    tests: ["test/liabilities.test.ts"],
  },
  {
    name: "liability-proof-of-any-account",
    thought: "The path leads to the root, so the proof is right.",
    file: "packages/statement/src/verify-liabilities.ts",
    find: "(await sha256(`${salt}:${accountId}`)) !== account",
    replace: "(await sha256(`${salt}:${accountId}`)) === salt",
    tests: ["test/liabilities.test.ts"],
  },
  {
    name: "liability-negative-sums",
    thought: "The sums add up to the signed total, so they are right.",
    file: "packages/statement/src/verify-liabilities.ts",
    find: "Number.isSafeInteger(value) && value >= 0",
    replace: "Number.isSafeInteger(value)",
    tests: ["packages/statement/src/verify-liabilities.test.ts"],
  },
];
