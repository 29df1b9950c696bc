import { machineStates, serverStates, workKinds } from "@ironlease/contract";
import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { Figures, WorkFigure } from "#ports/metrics.ts";
import { yieldToEventLoop } from "#kernel/concurrency/yield-to-event-loop.ts";
import { customerFunds } from "./customer-funds.ts";

/** Counts of open work, of servers and machines by state, and the sum of customers' balances. */
export async function readFigures(core: Core): Promise<Figures> {
  const at = core.clock.now();
  const work = await countWork(core, at);
  const states = await countStates(core);
  await yieldToEventLoop();
  return { at, work, ...states, ...(await customerFunds(core)) };
}

/** Reads only unfinished work, which has a partial index. What waits for a customer is nothing to do for operators. */
async function countWork({ db, rules }: Core, now: number): Promise<readonly WorkFigure[]> {
  const targets = Object.entries(rules.workTargetsMs);
  const isLate = sql.join(
    targets.map(([kind, ms]) => sql`(kind = ${kind} and created_at <= ${now - ms})`),
    sql` or `,
  );
  const counted = db.read
    .selectFrom("work")
    .select(({ fn }) => ["kind", fn.countAll<number>().as("count")])
    .select(sql<number>`sum(case when ${isLate} then 1 else 0 end)`.as("overdue"))
    .select(({ fn }) => fn.min("created_at").as("oldestAt"))
    .groupBy("kind");
  const open = await counted
    .where("state", "=", "OPEN")
    .where("waiting_since", "is", null)
    .execute();
  const claimed = await counted
    .select(sql<number>`sum(case when lease_until > ${now} then 1 else 0 end)`.as("held"))
    .where("state", "=", "CLAIMED")
    .where(sql<boolean>`(waiting_since is null or lease_until > ${now})`)
    .execute();
  return workKinds.map((kind) => {
    const waiting = open.find((row) => row.kind === kind);
    const taken = claimed.find((row) => row.kind === kind);
    const held = taken?.held ?? 0;
    const times = [waiting?.oldestAt, taken?.oldestAt].filter((time) => time !== undefined);
    return {
      kind,
      // An expired lease counts as open, even before the next sweep.
      open: (waiting?.count ?? 0) + (taken?.count ?? 0) - held,
      claimed: held,
      oldestAt: times.length === 0 ? null : Math.min(...times),
      targetMs: rules.workTargetsMs[kind],
      overdue: (waiting?.overdue ?? 0) + (taken?.overdue ?? 0),
    };
  });
}

/**
 * The counts of servers and machines, in one statement and thus one snapshot. It reads the stock, a row for each offer,
 * and through partial indexes the machines and servers in passing states. The others follow from the totals.
 */
async function countStates({ db }: Core): Promise<Pick<Figures, "servers" | "machines">> {
  const { rows } = await sql<{ readonly name: string; readonly count: number }>`
    select 'free' as name, coalesce(sum(free), 0) as count from stock
    union all select 'machines', coalesce(sum(machines), 0) from stock
    union all select 'servers', coalesce(sum(servers), 0) from stock
    union all select state, count(*) from machines
      where state in ('RESERVED', 'DIRTY', 'RETIRED') group by state
    union all select 'keptOut', count(*) from machines
      where keep_out_reason is not null and state = 'FREE'
    union all select state, count(*) from servers
      where state in ('PROVISIONING', 'GRACE', 'SUSPENDED') group by state`.execute(db.read);
  const counted = new Map(rows.map(({ name, count }) => [name, count]));
  const of = (name: string) => counted.get(name) ?? 0;
  const unassigned = ["free", "keptOut", "RESERVED", "DIRTY", "RETIRED"];
  // Each assigned machine has one delivered server.
  const assigned = unassigned.reduce((rest, name) => rest - of(name), of("machines"));
  const derived: Readonly<Record<string, number>> = {
    FREE: of("free"),
    ASSIGNED: assigned,
    ACTIVE: assigned - of("GRACE") - of("SUSPENDED"),
    TERMINATED: of("servers") - of("PROVISIONING") - assigned,
  };
  const counts = <State extends string>(states: readonly State[]) =>
    states.map((state) => ({ state, count: derived[state] ?? of(state) }));
  return { servers: counts(serverStates), machines: counts(machineStates) };
}
