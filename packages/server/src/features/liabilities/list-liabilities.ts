import type { Core } from "#kernel/core.ts";
import { listTrees } from "#kernel/liability-trees.ts";

/** The dates that have signed liabilities, newest first. */
export async function listLiabilities({ db }: Core) {
  const trees = await listTrees(db.read);
  return trees.map(({ date, rootHash, totalCents }) => ({ date, rootHash, totalCents }));
}
