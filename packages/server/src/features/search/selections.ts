import { sql, type RawBuilder } from "kysely";
import type { SearchResult } from "./search-result.ts";

/** What was found, as SQL expressions. */
interface Match {
  readonly by: SearchResult["matchedBy"];
  readonly text: RawBuilder<unknown>;
}

const matched = ({ by, text }: Match) => sql`${sql.lit(by)} as "matchedBy", ${text} as "matched"`;

/** One selection for each kind of result, with the same columns. The caller adds joins and conditions. */
export const selectAccount = (match: Match) => sql`
  select 'ACCOUNT' as "kind", accounts.id as "id", accounts.username as "name",
    case when accounts.closed_at is not null then 'CLOSED'
      when accounts.frozen_at is not null then 'FROZEN' end as "state",
    accounts.username as "username", ${matched(match)}
  from accounts`;

export const selectServer = (match: Match) => sql`
  select 'SERVER' as "kind", servers.id as "id", servers.hostname as "name",
    servers.state as "state", accounts.username as "username", ${matched(match)}
  from servers inner join accounts on accounts.id = servers.account_id`;

export const selectMachine = (match: Match) => sql`
  select 'MACHINE' as "kind", machines.id as "id", machines.asset_tag as "name",
    machines.state as "state", null as "username", ${matched(match)}
  from machines`;

export const selectWorkItem = (match: Match) => sql`
  select 'WORK' as "kind", work.id as "id", work.kind as "name",
    work.state as "state", accounts.username as "username", ${matched(match)}
  from work inner join accounts on accounts.id = work.account_id`;

export const selectThread = (match: Match) => sql`
  select 'THREAD' as "kind", threads.id as "id", threads.subject as "name",
    threads.state as "state", accounts.username as "username", ${matched(match)}
  from threads inner join accounts on accounts.id = threads.account_id`;

export const selectPayout = (match: Match) => sql`
  select 'PAYOUT' as "kind", payouts.id as "id", payouts.asset as "name",
    payouts.state as "state", null as "username", ${matched(match)}
  from payouts`;
