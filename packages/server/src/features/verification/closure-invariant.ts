import { sql } from "kysely";
import type { Invariant } from "./invariant.ts";

/** Only a payment that arrives after the closure may put money into a closed account, until operators return it. */
export const closureInvariant: Invariant = {
  number: 15,
  title: "a closed account has no access, no servers, no held money, and only later deposits",
  count: sql`select count(*) as count from accounts where closed_at is not null`,
  offenders: sql`
    select a.id as subject, 'it is closed, but can still be used to sign in' as problem
      from accounts a
      where a.closed_at is not null and (a.password_hash <> '' or a.recovery_hash <> ''
        or a.username <> 'closed/' || a.id)
    union all
    select s.account_id, 'it is closed, but has a session'
      from sessions s join accounts a on a.id = s.account_id where a.closed_at is not null
    union all
    select k.account_id, 'it is closed, but has an API key'
      from api_keys k join accounts a on a.id = k.account_id where a.closed_at is not null
    union all
    select c.account_id, 'it is closed, but has a contact'
      from contacts c join accounts a on a.id = c.account_id where a.closed_at is not null
    union all
    select s.id, 'it runs, but its account is closed'
      from servers s join accounts a on a.id = s.account_id
      where a.closed_at is not null and s.state <> 'TERMINATED'
    union all
    select b.account_id, 'it is closed, but has money that no later deposit explains'
      from balances b join accounts a on a.id = b.account_id
        left join (select account_id, sum(amount_cents) as cents, max(created_at) as last_at
          from journal where type = 'DEPOSIT' group by account_id) d
          on d.account_id = a.id and d.last_at >= a.closed_at
      where a.closed_at is not null and (b.held_cents > 0 or b.available_cents > coalesce(d.cents, 0))`,
};
