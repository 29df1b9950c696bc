import { machineStates, serverStates, workKinds } from "@ironlease/contract";
import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { Figures, OfferFigure, WorkFigure } from "#ports/metrics.ts";
import type { MachineState } from "#ports/schema.ts";
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

interface Counted {
  readonly configId: string;
  readonly regionId: string;
  readonly name: string;
  readonly count: number;
}

/**
 * The counts of servers and machines, in one statement and thus one snapshot. It reads the stock, a row for each offer,
 * and through partial indexes the machines and servers in passing states. The others follow from the totals.
 */
async function countStates({
  db,
}: Core): Promise<Pick<Figures, "servers" | "machines" | "offers">> {
  const { rows } = await sql<Counted>`
    select config_id as "configId", region_id as "regionId", 'FREE' as name, free as count from stock
    union all select config_id, region_id, 'machines', machines from stock
    union all select config_id, region_id, state, count(*) from machines
      where state in ('RESERVED', 'DIRTY', 'RETIRED') group by config_id, region_id, state
    union all select config_id, region_id, 'KEPT_OUT', count(*) from machines
      where keep_out_reason is not null and state = 'FREE' group by config_id, region_id
    union all select '', '', 'servers', coalesce(sum(servers), 0) from stock
    union all select '', '', state, count(*) from servers
      where state in ('PROVISIONING', 'GRACE', 'SUSPENDED') group by state
    order by 1, 2`.execute(db.read);
  const ofServers = countsByName(rows.filter(({ configId }) => configId === ""));
  const keyOf = ({ configId, regionId }: Counted) => `${configId} ${regionId}`;
  const byOffer = Map.groupBy(rows, keyOf);
  const offers = rows
    .filter(({ name }) => name === "machines")
    .map((row) => ({
      configId: row.configId,
      regionId: row.regionId,
      machines: machinesOf(byOffer.get(keyOf(row)) ?? []),
    }));
  const countOf = (state: MachineState) =>
    offers.reduce((sum, { machines }) => sum + machines[state], 0);
  const assigned = countOf("ASSIGNED");
  const derived: Readonly<Record<string, number>> = {
    ACTIVE: assigned - ofServers("GRACE") - ofServers("SUSPENDED"),
    TERMINATED: ofServers("servers") - ofServers("PROVISIONING") - assigned,
  };
  const servers = serverStates.map((state) => ({
    state,
    count: derived[state] ?? ofServers(state),
  }));
  return {
    servers,
    machines: machineStates.map((state) => ({ state, count: countOf(state) })),
    offers,
  };
}

function countsByName(rows: readonly Counted[]): (name: string) => number {
  const counted = new Map(rows.map(({ name, count }) => [name, count]));
  return (name) => counted.get(name) ?? 0;
}

/** Each assigned machine has one delivered server. */
function machinesOf(rows: readonly Counted[]): OfferFigure["machines"] {
  const of = countsByName(rows);
  const unassigned = {
    FREE: of("FREE"),
    KEPT_OUT: of("KEPT_OUT"),
    RESERVED: of("RESERVED"),
    DIRTY: of("DIRTY"),
    RETIRED: of("RETIRED"),
  };
  const assigned = Object.values(unassigned).reduce((rest, count) => rest - count, of("machines"));
  return { ...unassigned, ASSIGNED: assigned };
}
