import { limits } from "@ironlease/contract";
import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";

export interface ActivityRecord {
  readonly id: string;
  readonly at: number;
  readonly action: string;
  readonly subject: string;
  /** Null if an operator or the service did it. */
  readonly ipAddress: string | null;
}

/** Operators' notes about an account are theirs, and so is the fact that there are any. */
const internal = "account.note";
/** The actor of refused sign-ins, as the audit log records it. */
const stranger = "nobody";

/**
 * A page of what the account did and of what happened to it, newest first. Each half reads at most a page from its own
 * index, and the union leaves out what the account did to itself. Neither an operator's name nor address is read.
 */
export async function listActivity(
  { db }: Core,
  accountId: string,
  after: string = "",
): Promise<readonly ActivityRecord[]> {
  const before = after === "" ? sql`` : sql`and id < ${after}`;
  const page = sql`order by id desc limit ${sql.lit(limits.listLength)}`;
  const { rows } = await sql<ActivityRecord>`
    select id, at, action, subject,
      case when actor in (${accountId}, ${stranger}) then ip_address end as "ipAddress"
    from (
      select * from (select * from audit where actor = ${accountId} ${before} ${page}) as own
      union
      select * from (select * from audit where subject = ${accountId} and action <> ${internal} ${before} ${page}) as about
    ) as entries ${page}`.execute(db.read);
  return rows;
}
