import { recordPresence } from "#kernel/coins.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { callChain } from "#kernel/settlement.ts";
import type { OwnCoin } from "#ports/payouts.ts";
import type { Asset, Chain } from "#ports/settlement.ts";
import { selectCoins, toCoin } from "./payout-wallet.ts";

/** How often the wallet of a chain is read. */
const everyMs = 5 * 60_000;
const pageLength = 500;
/** A wallet with more coins is not summed up. */
const maxPages = 20;

/** Records what the wallet holds, as the node sees it, and which coins others have spent. */
export async function recordWallet(core: Core, chain: Chain): Promise<void> {
  if (await isRecent(core, chain.network)) return;
  const units = new Map<Asset, bigint>();
  let after: OwnCoin | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const rows = await coinsAfter(core, chain, after);
    const coins = rows.map(toCoin);
    if (page > 0 && coins.length === 0) break;
    const balances = await readBalances(chain, coins);
    for (const [asset, sum] of balances.units) units.set(asset, (units.get(asset) ?? 0n) + sum);
    await recordCoins(core, chain.network, rows, new Set(balances.spent.map(nameOf)));
    after = coins.at(-1);
    if (coins.length < pageLength) return store(core, chain.network, units);
  }
}

async function readBalances(chain: Chain, coins: readonly OwnCoin[]) {
  const { payouts } = chain;
  if (payouts === undefined) return { units: new Map<Asset, bigint>(), spent: [] };
  return callChain(chain, (signal) => payouts.balances({ coins }, signal));
}

async function isRecent({ db, clock }: Core, network: string): Promise<boolean> {
  const row = await db.read
    .selectFrom("wallet_balances")
    .select("seen_at")
    .where("network", "=", network)
    .where("seen_at", ">", clock.now() - everyMs)
    .executeTakeFirst();
  return row !== undefined;
}

function coinsAfter({ db }: Core, { network, publicKey }: Chain, after: OwnCoin | undefined) {
  let query = selectCoins({ db }, network, publicKey)
    .orderBy("coins.transaction_id")
    .orderBy("coins.output_index")
    .limit(pageLength);
  if (after !== undefined) {
    const { transactionId, outputIndex } = after;
    query = query.where((eb) =>
      eb(
        eb.refTuple("coins.transaction_id", "coins.output_index"),
        ">",
        eb.tuple(transactionId, outputIndex),
      ),
    );
  }
  return query.execute();
}

type CoinRow = Awaited<ReturnType<typeof coinsAfter>>[number];

/** Writes only what changed. */
async function recordCoins(
  core: Core,
  network: string,
  rows: readonly CoinRow[],
  spent: ReadonlySet<string>,
): Promise<void> {
  const changed = rows.filter(
    (row) => spent.has(nameOf(toCoin(row))) || row.missing_since !== null,
  );
  if (changed.length === 0) return;
  await core.db.write(async (tx) => {
    for (const row of changed) {
      const coin = toCoin(row);
      await recordPresence({ tx, core }, network, coin, spent.has(nameOf(coin)));
    }
    return ok();
  });
}

function nameOf({ transactionId, outputIndex }: OwnCoin): string {
  return `${transactionId}:${outputIndex}`;
}

async function store(
  core: Core,
  network: string,
  units: ReadonlyMap<Asset, bigint>,
): Promise<void> {
  const values = [...units].map(([asset, sum]) => ({
    network,
    asset,
    units: String(sum),
    seen_at: core.clock.now(),
  }));
  if (values.length === 0) return;
  await core.db.write(async (tx) => {
    await tx
      .insertInto("wallet_balances")
      .values(values)
      .onConflict((conflict) =>
        conflict.columns(["network", "asset"]).doUpdateSet((eb) => ({
          units: eb.ref("excluded.units"),
          seen_at: eb.ref("excluded.seen_at"),
        })),
      )
      .execute();
    return ok();
  });
}
