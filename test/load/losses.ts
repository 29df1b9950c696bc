import { verifyInvariants } from "#server/features/verification/verify-invariants.ts";
import type { Db } from "#server/ports/db.ts";
import type { Acknowledged } from "./market.ts";
import type { Place } from "./place.ts";

export function losses(place: Place): Promise<readonly string[]> {
  return place.withCore(({ db }) => lossesIn(db, place.market.acknowledged));
}

/** What is wrong in the database after a run: something acknowledged that is not there, or an invariant. */
async function lossesIn(db: Db, said: Acknowledged): Promise<readonly string[]> {
  const orders = await db.read.selectFrom("orders").select("id").execute();
  const withdrawals = await db.read.selectFrom("withdrawals").select("id").execute();
  const actions = await db.read.selectFrom("actions").select("id").execute();
  const work = db.read.selectFrom("work").select("id").where("state", "=", "DONE");
  const findings = await verifyInvariants(db);
  return [
    ...missing("orders", said.orders, orders),
    ...missing("withdrawals", said.withdrawals, withdrawals),
    ...missing("actions", said.actions, actions),
    ...missing("completed work", said.completed, await work.execute()),
    ...findings.flatMap(({ number, offenders }) =>
      offenders.map(({ subject, problem }) => `invariant ${number}: ${subject}: ${problem}`),
    ),
  ];
}

function missing(
  what: string,
  said: readonly string[],
  rows: readonly { readonly id: string }[],
): readonly string[] {
  const there = new Set(rows.map(({ id }) => id));
  const lost = said.filter((id) => !there.has(id));
  const isDouble = new Set(said).size !== said.length;
  return [
    ...(lost.length > 0 ? [`${lost.length} acknowledged ${what} are missing`] : []),
    ...(isDouble ? [`some ${what} were acknowledged twice`] : []),
  ];
}
