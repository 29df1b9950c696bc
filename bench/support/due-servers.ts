import { sql } from "kysely";
import type { Core } from "#server/kernel/core.ts";

/** Rows per statement. Larger statements would exceed the service's statement timeout. */
const chunk = 20_000;

/**
 * Inserts delivered servers, and accounts with enough balance to renew them, directly into the tables.
 * `name` is part of every id.
 */
export async function fillServers(
  { db, clock }: Core,
  name: string,
  count: number,
  accounts: number,
): Promise<void> {
  const prefixed = (prefix: string) => sql.lit(`${prefix}${name}_`);
  const group = sql.lit(name);
  const series = (from: number, to: number) =>
    db.engine === "postgres"
      ? sql`select n from generate_series(${sql.lit(from)}, ${sql.lit(to)}) as n`
      : sql`with recursive s(n) as (select ${sql.lit(from)} union all select n + 1 from s where n < ${sql.lit(to)}) select n from s`;
  const account = sql`${prefixed("acc_")} || (n % ${sql.lit(accounts)})`;
  const later = sql.lit(clock.now() + 30 * 86_400_000);
  const insert = (statement: ReturnType<typeof sql>) =>
    db.write(async (tx) => {
      await statement.execute(tx);
      return { ok: true, value: undefined };
    });
  const all = series(0, accounts - 1);
  await insert(sql`insert into accounts (id, username, password_hash, recovery_hash, created_at)
    select ${account}, ${account}, '', '', 0 from (${all}) as t`);
  await insert(
    sql`insert into balances select ${account}, 1000000, 0, 0, 0, 0, null from (${all}) as t`,
  );
  for (let from = 1; from <= count; from += chunk) {
    const some = series(from, Math.min(from + chunk - 1, count));
    await insert(sql`insert into machines (id, asset_tag, config_id, region_id, state, created_at)
      select ${prefixed("mch_")} || n, ${prefixed("")} || n, ${group}, ${group}, 'ASSIGNED', 0 from (${some}) as t`);
    await insert(sql`insert into orders select ${prefixed("ord_")} || n, ${account}, ${group}, ${group},
      ${group}, 'weekly', 1, 100, null, 0 from (${some}) as t`);
    await insert(sql`insert into servers (id, account_id, order_id, config_id, region_id, os_id,
        hostname, state, term, price_cents, paid_through, grace_until, auto_renew, ddos_mode,
        ddos_quote_accepted, machine_id, created_at)
      select ${prefixed("srv_")} || n, ${account}, ${prefixed("ord_")} || n, ${group}, ${group}, ${group},
        ${prefixed("")} || n, 'ACTIVE', 'weekly', 100, ${later}, ${later}, 1, 'BASELINE', 0,
        ${prefixed("mch_")} || n, 0 from (${some}) as t`);
  }
  await insert(sql`insert into stock (config_id, region_id, free, machines, servers)
    values (${group}, ${group}, 0, ${sql.lit(count)}, ${sql.lit(count)})`);
  // Autovacuum would do this within a minute of so many inserts. SQLite has no equivalent.
  if (db.engine === "postgres") await insert(sql.raw("analyze"));
}

/** Makes the servers due since a second ago. */
export async function makeDue({ db, clock }: Core): Promise<void> {
  const paidThrough = clock.now() - 1_000;
  await db.write(async (tx) => {
    await tx
      .updateTable("servers")
      .set({ paid_through: paidThrough, grace_until: paidThrough + 3 * 86_400_000 })
      .where("config_id", "=", "due")
      .execute();
    return { ok: true, value: undefined };
  });
}

/** How far the renewal pass has come. It renews in the order of `paid_through` and id. */
export async function renewedSoFar({ db, clock }: Core): Promise<"none" | "some" | "all"> {
  const due = db.read
    .selectFrom("servers")
    .select("id")
    .where(sql<boolean>`state in ('ACTIVE', 'GRACE', 'SUSPENDED')`)
    .where("paid_through", "<=", clock.now())
    .orderBy("paid_through")
    .orderBy("id")
    .limit(sql.lit(1));
  const first = await due.executeTakeFirst();
  if (first === undefined) return "all";
  return first.id === "srv_due_1" ? "none" : "some";
}
