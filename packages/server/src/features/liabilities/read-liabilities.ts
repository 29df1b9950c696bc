import type { InclusionProof, Liabilities, PathStep } from "@ironlease/statement";
import type { Core } from "#kernel/core.ts";
import { leafOf, nodesPerChunk, saltedAccount, saltOf } from "#kernel/liability-chunks.ts";
import {
  findLeaves,
  findNodes,
  findTree,
  headOf,
  type SignedTree,
} from "#kernel/liability-trees.ts";
import { pathTo } from "#kernel/merkle-sum-tree.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";

/** The signed total of a date, with the proof that the account's balance is part of it. */
export async function readLiabilities(
  core: Core,
  accountId: string,
  date: string,
): Promise<Result<Liabilities>> {
  const tree = await findTree(core.db.read, date);
  if (tree === undefined) {
    return refuse("not_found", {
      message: `No liabilities were signed on ${date}. A date on which the service did not run has none.`,
    });
  }
  const { rootHash, totalCents, signature } = tree;
  const proof = await findProof(core, tree, accountId);
  return ok({ date, rootHash, totalCents, head: headOf(tree), signature, proof });
}

/** Reads one chunk of each level. Null if the account is not in the tree, or the chunks are no longer kept. */
async function findProof(
  { db: { read } }: Core,
  { date, secret }: SignedTree,
  accountId: string,
): Promise<InclusionProof | null> {
  const salt = saltOf(secret, accountId);
  const account = saltedAccount(salt, accountId);
  const leaves = await findLeaves(read, date, account);
  const index = leaves?.nodes.findIndex((leaf) => leaf.accountId === accountId) ?? -1;
  const own = leaves?.nodes[index];
  if (leaves === undefined || own === undefined) return null;
  const path: PathStep[] = pathTo(
    leaves.nodes.map((leaf) => leafOf(secret, leaf)),
    index,
  );
  let { position } = leaves;
  for (let level = 1; ; level += 1) {
    const chunk = await findNodes(read, date, level, account);
    if (chunk === undefined) return { salt, account, balanceCents: own.cents, path };
    path.push(...pathTo(chunk.nodes, position % nodesPerChunk));
    position = chunk.position;
  }
}
