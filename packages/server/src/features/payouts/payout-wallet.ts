import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import { nextChangeIndex } from "#kernel/keychains.ts";
import type { OwnCoin, PayoutWallet } from "#ports/payouts.ts";
import type { Chain } from "#ports/settlement.ts";
import { openPayouts } from "./open-payouts.ts";

/** One transaction cannot spend more, and finding more to be spent takes too long. */
const mostCoins = 500;

/** What the service knows of the wallet that pays on a chain. */
export async function readWallet({ db }: Core, chain: Chain): Promise<PayoutWallet> {
  const [others, coins, changeIndex] = await Promise.all([
    openPayouts({ db }, chain.network),
    largestCoins({ db }, chain),
    nextChangeIndex(db.read, chain),
  ]);
  return { taken: new Set(others.flatMap(({ pins }) => pins)), others, coins, changeIndex };
}

/** Largest first, so that a payout needs few inputs. */
async function largestCoins(
  { db }: Pick<Core, "db">,
  { network, publicKey }: Chain,
): Promise<readonly OwnCoin[]> {
  const rows = await selectCoins({ db }, network, publicKey)
    .orderBy(sql`length(coins.amount_units)`, "desc")
    .orderBy("coins.amount_units", "desc")
    .orderBy("coins.transaction_id")
    .orderBy("coins.output_index")
    .limit(mostCoins)
    .execute();
  return rows.map(toCoin);
}

/** Coins of the chain's present account key. Another key's private part may not be at hand. */
export function selectCoins({ db }: Pick<Core, "db">, network: string, publicKey: string) {
  return db.read
    .selectFrom("coins")
    .innerJoin("keychains", "keychains.id", "coins.keychain_id")
    .select([
      "coins.transaction_id",
      "coins.output_index",
      "coins.amount_units",
      "coins.branch",
      "coins.derivation_index",
      "coins.missing_since",
    ])
    .where("coins.network", "=", network)
    .where("keychains.public_key", "=", publicKey)
    .where("coins.spent_at", "is", null);
}

type CoinRow = Awaited<ReturnType<ReturnType<typeof selectCoins>["executeTakeFirstOrThrow"]>>;

export function toCoin(row: CoinRow): OwnCoin {
  return {
    transactionId: row.transaction_id,
    outputIndex: row.output_index,
    amountUnits: BigInt(row.amount_units),
    branch: row.branch === 1 ? 1 : 0,
    index: row.derivation_index,
  };
}
