import { limits } from "@ironlease/contract";
import type { LiabilitiesHead, Signature, SumNode } from "@ironlease/statement";
import { sql } from "kysely";
import type { Db, Tx } from "#ports/db.ts";
import { isoTime } from "./iso-time.ts";
import type { AccountBalance, Chunk, LiabilityTree } from "./liability-chunks.ts";
import { prepared, preparedInsert, preparedOne } from "./sql/prepared.ts";

type Reader = Db["read"];
type OnDate = Readonly<{ date: string }>;
type ChunkAt = Readonly<{ date: string; level: number; account: string }>;

/** What was signed on a date. */
export interface SignedTree {
  readonly date: string;
  readonly at: number;
  readonly rootHash: string;
  readonly totalCents: number;
  readonly accounts: number;
  readonly secret: string;
  readonly signature: Signature;
}

const columns = [
  "date",
  "created_at as at",
  "root_hash as rootHash",
  "total_cents as totalCents",
  "accounts",
  "secret",
  "key_id as keyId",
  "signature as value",
] as const;

const treeOn = preparedOne(["date"], (db, { date }: OnDate) =>
  db.selectFrom("liability_trees").select(columns).where("date", "=", date),
);

const newestTrees = prepared([], (db) =>
  db.selectFrom("liability_trees").select(columns).orderBy("date", "desc").limit(limits.listLength),
);

const newest = preparedOne([], (db) =>
  db.selectFrom("liability_trees").select(columns).orderBy("date", "desc").limit(1),
);

const chunkWith = preparedOne(["date", "level", "account"], (db, at: ChunkAt) =>
  db
    .selectFrom("liability_chunks")
    .select(["first_account as firstAccount", "position", "nodes"])
    .where("date", "=", at.date)
    .where("level", "=", at.level)
    .where("first_account", "<=", at.account)
    .orderBy("first_account", "desc")
    .limit(1),
);

const leafPage = prepared(
  ["date", "after"],
  (db, { date, after }: { date: string; after: string }) =>
    db
      .selectFrom("liability_chunks")
      .select(["first_account as firstAccount", "position", "nodes"])
      .where("date", "=", date)
      .where("level", "=", 0)
      .where("first_account", ">", after)
      .orderBy("first_account")
      .limit(limits.listLength),
);

const insertTree = preparedInsert("liability_trees", [
  "date",
  "created_at",
  "root_hash",
  "total_cents",
  "accounts",
  "secret",
  "key_id",
  "signature",
]);

const insertChunk = preparedInsert("liability_chunks", [
  "date",
  "level",
  "first_account",
  "position",
  "nodes",
]);

/** The UTC date of a time. */
export function dateOf(time: number): string {
  return isoTime(time).slice(0, 10);
}

export function headOf(tree: Omit<SignedTree, "accounts" | "secret" | "signature">) {
  const { date, rootHash, totalCents, at } = tree;
  return { date, rootHash, totalCents, at: isoTime(at) } satisfies LiabilitiesHead;
}

export async function findTree(read: Reader, date: string): Promise<SignedTree | undefined> {
  const row = await treeOn(read, { date });
  return row === undefined ? undefined : signedTree(row);
}

/** Newest first. */
export async function listTrees(read: Reader): Promise<readonly SignedTree[]> {
  return (await newestTrees(read, {})).map(signedTree);
}

export async function findNewest(read: Reader): Promise<SignedTree | undefined> {
  const row = await newest(read, {});
  return row === undefined ? undefined : signedTree(row);
}

function signedTree({
  keyId,
  value,
  ...tree
}: NonNullable<Awaited<ReturnType<typeof treeOn>>>): SignedTree {
  return { ...tree, signature: { keyId, value } };
}

/** One statement, so that all balances are of one moment. Writers do not wait for it. */
export function readBalances(read: Reader): Promise<readonly AccountBalance[]> {
  return allBalances(read, {});
}

const allBalances = prepared([], (db) =>
  db
    .selectFrom("balances")
    .select([
      "account_id as accountId",
      sql<number>`available_cents + held_cents`.as("cents"),
      "entries",
    ]),
);

/** The chunk of leaves that has the place of the account. */
export async function findLeaves(
  read: Reader,
  date: string,
  account: string,
): Promise<Chunk<AccountBalance> | undefined> {
  const row = await chunkWith(read, { date, level: 0, account });
  return row === undefined ? undefined : leafChunk(row);
}

/** All leaves of a date, in the order of the tree. */
export async function* leafChunks(
  read: Reader,
  date: string,
): AsyncGenerator<Chunk<AccountBalance>> {
  for (let after = ""; ;) {
    const page = await leafPage(read, { date, after });
    for (const row of page) yield leafChunk(row);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.firstAccount;
  }
}

type ChunkRow = Readonly<{ firstAccount: string; position: number; nodes: string }>;

function leafChunk(row: ChunkRow): Chunk<AccountBalance> {
  const stored = JSON.parse(row.nodes) as readonly [string, number, number][];
  const nodes = stored.map(([accountId, cents, entries]) => ({ accountId, cents, entries }));
  return { ...row, level: 0, nodes };
}

/** The chunk above it on this level. Undefined above the top. */
export async function findNodes(
  read: Reader,
  date: string,
  level: number,
  account: string,
): Promise<Chunk | undefined> {
  const row = await chunkWith(read, { date, level, account });
  if (row === undefined) return undefined;
  const stored = JSON.parse(row.nodes) as readonly [string, number][];
  return { ...row, level, nodes: stored.map(([hash, sumCents]) => ({ hash, sumCents })) };
}

/** The tree comes first: a second one for the same date fails before its chunks are written. */
export async function insertSignedTree(
  tx: Tx,
  { date, at, rootHash, totalCents, accounts, secret, signature }: SignedTree,
  { leaves, above }: Pick<LiabilityTree, "leaves" | "above">,
): Promise<void> {
  await insertTree(tx, {
    date,
    created_at: at,
    root_hash: rootHash,
    total_cents: totalCents,
    accounts,
    secret,
    key_id: signature.keyId,
    signature: signature.value,
  });
  const insert = ({ level, position, firstAccount }: Chunk<unknown>, nodes: readonly unknown[]) =>
    insertChunk(tx, {
      date,
      level,
      first_account: firstAccount,
      position,
      nodes: JSON.stringify(nodes),
    });
  for (const chunk of leaves) await insert(chunk, chunk.nodes.map(leafRow));
  for (const chunk of above) await insert(chunk, chunk.nodes.map(nodeRow));
}

const leafRow = ({ accountId, cents, entries }: AccountBalance) => [accountId, cents, entries];
const nodeRow = ({ hash, sumCents }: SumNode) => [hash, sumCents];

/** Deletes up to `limit` chunks of dates before this one, and returns how many. The signed trees stay. */
export async function sweepChunks(tx: Tx, before: string, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("liability_chunks")
    .where(
      sql<boolean>`(date, level, first_account) in (select date, level, first_account
        from liability_chunks where date < ${before} order by date, level, first_account
        limit ${sql.lit(limit)})`,
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
