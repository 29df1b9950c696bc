import type { Core } from "#kernel/core.ts";
import { buildTree } from "#kernel/liability-chunks.ts";
import {
  dateOf,
  findNewest,
  findTree,
  headOf,
  insertSignedTree,
  readBalances,
  type SignedTree,
} from "#kernel/liability-trees.ts";
import { ok, refuse } from "#kernel/result.ts";
import { signHead } from "#kernel/statement-keys.ts";

/**
 * Signs today's balances of all customers, unless that is done. Only a date after every signed one is signed, whatever
 * the clock says, and a date that has passed is never signed later: its balances are no longer known. Of several
 * instances, the first to commit wins. Returns undefined without accounts, and when the clock went back.
 */
export async function signLiabilities(
  core: Core,
): Promise<{ readonly tree: SignedTree; readonly isNew: boolean } | undefined> {
  const at = core.clock.now();
  const date = dateOf(at);
  if (await isSigned(core.db.read, date)) return existing(core, date);
  const balances = await readBalances(core.db.read);
  const secret = core.random.bytes(32).toString("hex");
  const built = await buildTree(secret, balances, core.pacer);
  if (built === undefined) return undefined;
  const root = { date, at, rootHash: built.root.hash, totalCents: built.root.sumCents };
  const signature = await signHead(core, headOf(root));
  const tree = { ...root, accounts: balances.length, secret, signature };
  const written = await core.db.write(
    async (tx) => {
      if (await isSigned(tx, date)) return refuse("conflict");
      await insertSignedTree(tx, tree, built);
      return ok();
    },
    { liability_trees_pkey: { code: "conflict" } },
  );
  return written.ok ? { tree, isNew: true } : existing(core, date);
}

/** Whether this date or a later one has a tree. */
async function isSigned(read: Core["db"]["read"], date: string): Promise<boolean> {
  const newest = await findNewest(read);
  return newest !== undefined && newest.date >= date;
}

async function existing({ db }: Core, date: string) {
  const tree = await findTree(db.read, date);
  return tree === undefined ? undefined : { tree, isNew: false };
}
