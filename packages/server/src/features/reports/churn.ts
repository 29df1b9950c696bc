import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import { dayMs } from "#kernel/ledger-days.ts";
import { lastMonths } from "./month.ts";

export interface MonthOfServers {
  /** `2026-11`, in UTC. */
  readonly month: string;
  /** Delivered servers when the month began. */
  readonly atStart: number;
  readonly delivered: number;
  /** Terminated after their delivery. */
  readonly ended: number;
}

const shownMonths = 12;

/** How many servers were delivered and ended in each of the last months, this month last. */
export async function readChurn(core: Core): Promise<readonly MonthOfServers[]> {
  const months = lastMonths(core, shownMonths);
  const moves = [];
  for (const { name, firstDay, endDay } of months) {
    moves.push({ month: name, ...(await countMoves(core, firstDay * dayMs, endDay * dayMs)) });
  }
  let atEnd = await countDelivered(core);
  const counted: MonthOfServers[] = [];
  for (const move of moves.toReversed()) {
    const atStart = Math.max(0, atEnd - move.delivered + move.ended);
    counted.unshift({ ...move, atStart });
    atEnd = atStart;
  }
  return counted;
}

/** A delivery ends its work item, and the end of a delivered server queues one to wipe the machine. */
async function countMoves({ db }: Core, from: number, to: number) {
  const { rows } = await sql<{ readonly delivered: number; readonly ended: number }>`
    select (select count(*) from work where kind = 'PROVISION' and state = 'DONE'
             and ended_at >= ${from} and ended_at < ${to}) as delivered,
           (select count(*) from work where kind = 'RECLAIM'
             and created_at >= ${from} and created_at < ${to}) as ended`.execute(db.read);
  return rows[0] ?? { delivered: 0, ended: 0 };
}

async function countDelivered({ db }: Core): Promise<number> {
  const { rows } = await sql<{ readonly servers: number }>`
    select count(*) as servers from servers
     where state in ('ACTIVE', 'GRACE', 'SUSPENDED')`.execute(db.read);
  return rows[0]?.servers ?? 0;
}
