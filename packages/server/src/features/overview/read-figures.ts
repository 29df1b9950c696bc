import { machineStates, serverStates, workKinds } from "@ironlease/contract";
import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { Figures, WorkFigure } from "#ports/metrics.ts";
import type { MachineState } from "#ports/schema.ts";
import { yieldToEventLoop } from "#kernel/concurrency/yield-to-event-loop.ts";

/** Counts of open work, of servers and machines by state, and the sum of customers' balances. */
export async function readFigures(core: Core): Promise<Figures> {
  const at = core.clock.now();
  const work = await countWork(core, at);
  const servers = await countServers(core);
  await yieldToEventLoop();
  const machines = await countMachines(core);
  await yieldToEventLoop();
  const funds = await core.db.read
    .selectFrom("balances")
    .select(({ fn }) => [
      fn.sum<number | null>("available_cents").as("available"),
      fn.sum<number | null>("held_cents").as("held"),
    ])
    .executeTakeFirst();
  return {
    at,
    work,
    servers,
    machines,
    availableCents: funds?.available ?? 0,
    heldCents: funds?.held ?? 0,
  };
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

async function countServers({ db }: Core): Promise<Figures["servers"]> {
  const rows = await db.read
    .selectFrom("servers")
    .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
    .groupBy("state")
    .execute();
  return serverStates.map(
    (state) => rows.find((row) => row.state === state) ?? { state, count: 0 },
  );
}

/** One pass that counts every state, because no index groups machines by state. */
async function countMachines({ db }: Core): Promise<Figures["machines"]> {
  const countOf = (state: MachineState) =>
    sql<number>`coalesce(sum(case when state = ${sql.lit(state)} then 1 else 0 end), 0)`.as(state);
  const counts = await db.read
    .selectFrom("machines")
    .select(machineStates.map(countOf))
    .executeTakeFirstOrThrow();
  return machineStates.map((state) => ({ state, count: counts[state] }));
}
