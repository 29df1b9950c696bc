import { sql } from "kysely";
import type { Invariant } from "./invariant.ts";

const livingDdos = sql`select * from work where kind = 'DDOS' and state in ('OPEN', 'CLAIMED')`;

/** The id in the cause adds no information, but SQLite finds the work item by it. */
const chargedWork = sql`
  left join work w on w.id = substr(j.cause, length('ddos/') + 1) and j.cause = 'ddos/' || w.id
  left join ddos_requests r on r.id = w.ddos_request_id`;

export const quoteInvariant: Invariant = {
  number: 11,
  title: "a DDoS quote is charged once it is accepted and applied, and at no other price",
  count: sql`select count(*) as count from ddos_requests`,
  offenders: sql`
    select j.id as subject, 'it charges for a DDoS request that was not applied at this price' as problem
      from journal j ${chargedWork}
      where j.type = 'DDOS_CHARGE' and (r.id is null or w.state <> 'DONE' or r.mode <> 'ADVANCED'
        or r.charged_cents is null or r.charged_cents <> j.amount_cents
        or w.account_id <> j.account_id or w.server_id <> j.reference_id)
    union all
    select r.id, 'it was applied, but not charged'
      from ddos_requests r join work w on w.ddos_request_id = r.id
      left join journal j on j.cause = 'ddos/' || w.id
      where r.charged_cents > 0 and j.id is null
    union all
    select s.id, 'its renewals include a DDoS price that was never accepted'
      from servers s
      where s.ddos_cents > 0 and not exists
        (select 1 from ddos_requests r where r.server_id = s.id and r.quote_cents = s.ddos_cents)
    union all
    select j.id, 'the renewal is neither the price of the server nor that and an accepted quote'
      from journal j join servers s on s.id = j.reference_id
      where j.type = 'RENEWAL_CHARGE' and j.amount_cents <> s.price_cents and not exists
        (select 1 from ddos_requests r
           where r.server_id = s.id and r.quote_cents = j.amount_cents - s.price_cents)
    union all
    select s.id, 'its quote and the waiting of its work item disagree'
      from servers s left join (${livingDdos}) w on w.server_id = s.id
      where (s.ddos_offer_cents is not null and s.ddos_offer_accepted_at is null)
        <> (w.waiting_since is not null)
    union all
    select w.id, 'it waits for a customer although it has ended'
      from work w where w.waiting_since is not null and w.state in ('DONE', 'FAILED')`,
};
