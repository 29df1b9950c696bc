import { limits } from "@ironlease/contract";
import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";

export interface AuditRecord {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly actorName: string | null;
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly ipAddress: string;
}

/**
 * A page of the audit entries about an account, newest first: its own actions, and actions on it and on its latest
 * servers, withdrawals and work. Its own actions may be many, so at most a page of them is read from the index. A
 * server or work item never has many entries.
 */
export async function readAccountAudit(
  { db }: Core,
  accountId: string,
  after?: string,
): Promise<readonly AuditRecord[]> {
  const before = after === undefined ? sql`` : sql`and id < ${after}`;
  const latest = sql`order by id desc limit ${sql.lit(limits.listLength)}`;
  const latestCreated = sql`order by created_at desc limit ${sql.lit(limits.listLength)}`;
  const { rows } = await sql<Omit<AuditRecord, "detail"> & { readonly detail: string }>`
    select entries.id, entries.at, entries.actor,
      coalesce(operators.username, accounts.username) as "actorName",
      entries.action, entries.subject, entries.detail, entries.ip_address as "ipAddress"
    from (select * from (
      select * from (select * from audit where actor = ${accountId} ${before} ${latest}) as own
      union
      select * from (select * from audit where subject = ${accountId} ${before} ${latest}) as about
      union
      select * from audit where subject in (
        select id from (
          select id from servers where account_id = ${accountId} ${latestCreated}) as its_servers
        union all
        select id from (
          select id from withdrawals where account_id = ${accountId} ${latestCreated}) as its_withdrawals
        union all
        select id from (
          select id from work where account_id = ${accountId} ${latest}) as its_work) ${before}
    ) as found ${latest}) as entries
    left join operators on operators.id = entries.actor
    left join accounts on accounts.id = entries.actor
    order by entries.id desc`.execute(db.read);
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as AuditRecord["detail"] }));
}
