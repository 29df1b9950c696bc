import { signatureProblem, type SumNode } from "@ironlease/statement";
import { sql } from "kysely";
import { leafOf, type AccountBalance } from "#kernel/liability-chunks.ts";
import { headOf, leafChunks, listTrees, type SignedTree } from "#kernel/liability-trees.ts";
import { rootOf } from "#kernel/merkle-sum-tree.ts";
import { readStatementKeys } from "#kernel/statement-keys.ts";
import type { Db } from "#ports/db.ts";
import { maxOffenders, type Finding, type Offender } from "./invariant.ts";

/** How many of the newest trees are computed again. Of the others, only the signatures are checked. */
const computedTrees = 7;

/**
 * Checks the signatures of the last dates, and computes the newest trees again: from the balances in their leaves to the
 * root and the total. Each balance must be the one after the ledger entry that the leaf names.
 */
export async function checkLiabilities(db: Db): Promise<Finding> {
  const offenders: Offender[] = [];
  const keys = { keys: await readStatementKeys({ db }) };
  const trees = await listTrees(db.read);
  for (const [index, tree] of trees.entries()) {
    const problem = await signatureProblem(headOf(tree), tree.signature, keys);
    if (problem !== undefined) offenders.push({ subject: tree.date, problem });
    if (index < computedTrees) offenders.push(...(await compute(db.read, tree)));
  }
  return {
    number: 14,
    title: "signed liabilities add up from balances in the ledger to their root and total",
    count: trees.length,
    offenders: offenders.slice(0, maxOffenders),
    more: offenders.length > maxOffenders,
  };
}

async function compute(read: Db["read"], tree: SignedTree): Promise<readonly Offender[]> {
  const offenders: Offender[] = [];
  const roots: SumNode[] = [];
  let accounts = 0;
  for await (const { nodes } of leafChunks(read, tree.date)) {
    const root = rootOf(nodes.map((leaf) => leafOf(tree.secret, leaf)));
    if (root !== undefined) roots.push(root);
    accounts += nodes.length;
    offenders.push(...(await leavesUnlikeLedger(read, tree.date, nodes)));
  }
  const root = rootOf(roots);
  // Without leaves, the proofs of this date are no longer kept.
  const isSame =
    root === undefined ||
    (root.hash === tree.rootHash &&
      root.sumCents === tree.totalCents &&
      accounts === tree.accounts);
  const problem = "its stored balances do not add up to the signed root and total";
  return isSame ? offenders : [{ subject: tree.date, problem }, ...offenders];
}

async function leavesUnlikeLedger(
  read: Db["read"],
  date: string,
  leaves: readonly AccountBalance[],
): Promise<readonly Offender[]> {
  const last = leaves.map(({ accountId, entries }) => sql`(${accountId}, ${sql.lit(entries)})`);
  const rows = await read
    .selectFrom("journal")
    .select(["account_id as accountId"])
    .select(sql<number>`balance_after_cents + held_after_cents`.as("cents"))
    .where(sql<boolean>`(account_id, sequence) in (values ${sql.join(last)})`)
    .execute();
  const cents = new Map(rows.map((row) => [row.accountId, row.cents]));
  return leaves
    .filter((leaf) => leaf.cents !== (cents.get(leaf.accountId) ?? 0))
    .map(({ accountId }) => ({
      subject: accountId,
      problem: `its balance in the liabilities of ${date} is not the one in the ledger`,
    }));
}
