import { createHmac, hash } from "node:crypto";
import type { SumNode } from "@ironlease/statement";
import { leafNode, rootOf } from "./merkle-sum-tree.ts";
import type { Pacer } from "#ports/pacer.ts";

/** The balance of an account when the balances were read. */
export interface AccountBalance {
  readonly accountId: string;
  /** Spendable and held money together: what the service owes. */
  readonly cents: number;
  /** How many ledger entries the account had. The last one shows the same balance. */
  readonly entries: number;
}

/**
 * The nodes of one subtree, stored as one row. A level of chunks above has their roots, so a proof reads one chunk of
 * each level.
 */
export interface Chunk<Node = SumNode> {
  readonly level: number;
  readonly position: number;
  /** The salted hash of the first account in it. */
  readonly firstAccount: string;
  readonly nodes: readonly Node[];
}

/** A power of two, so that a full chunk is a complete subtree. */
export const nodesPerChunk = 64;

/** The secret is another one each day, so a salt tells nothing about other accounts or days. */
export function saltOf(secret: string, accountId: string): string {
  return createHmac("sha256", secret).update(accountId).digest("hex");
}

export function saltedAccount(salt: string, accountId: string): string {
  return hash("sha256", `${salt}:${accountId}`);
}

export function leafOf(secret: string, { accountId, cents }: AccountBalance): SumNode {
  return leafNode(saltedAccount(saltOf(secret, accountId), accountId), cents);
}

export interface LiabilityTree {
  readonly root: SumNode;
  readonly leaves: readonly Chunk<AccountBalance>[];
  /** The levels above the leaves, from the roots of their chunks to the one chunk whose root is the tree's. */
  readonly above: readonly Chunk[];
}

/**
 * Builds the tree over all accounts. Leaves are in the order of their salted hashes, so neither position nor neighbours
 * of an account are the same on two days. Pauses between batches, because there can be many. Undefined without accounts.
 */
export async function buildTree(
  secret: string,
  balances: readonly AccountBalance[],
  pacer: Pacer | undefined,
): Promise<LiabilityTree | undefined> {
  const salted: { readonly account: string; readonly balance: AccountBalance }[] = [];
  for (const some of batchesOf(balances)) {
    const pause = pacer?.();
    for (const balance of some) {
      const { accountId } = balance;
      salted.push({ account: saltedAccount(saltOf(secret, accountId), accountId), balance });
    }
    await pause?.();
  }
  salted.sort((a, b) => (a.account < b.account ? -1 : 1));
  const leaves: Chunk<AccountBalance>[] = [];
  let roots: { readonly firstAccount: string; readonly root: SumNode }[] = [];
  for (const [position, some] of batchesOf(salted).entries()) {
    const pause = pacer?.();
    const firstAccount = some[0]?.account ?? "";
    const root = rootOf(some.map(({ account, balance }) => leafNode(account, balance.cents)));
    if (root === undefined) continue;
    leaves.push({ level: 0, position, firstAccount, nodes: some.map(({ balance }) => balance) });
    roots.push({ firstAccount, root });
    await pause?.();
  }
  const above: Chunk[] = [];
  for (let level = 1; roots.length > 1; level += 1) {
    const chunks = batchesOf(roots).map((some, position): Chunk => {
      const nodes = some.map(({ root }) => root);
      return { level, position, firstAccount: some[0]?.firstAccount ?? "", nodes };
    });
    above.push(...chunks);
    roots = chunks.flatMap(({ firstAccount, nodes }) => {
      const root = rootOf(nodes);
      return root === undefined ? [] : [{ firstAccount, root }];
    });
  }
  const [top] = roots;
  return top === undefined ? undefined : { root: top.root, leaves, above };
}

function batchesOf<T>(items: readonly T[]): (readonly T[])[] {
  const count = Math.ceil(items.length / nodesPerChunk);
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * nodesPerChunk, (index + 1) * nodesPerChunk),
  );
}
