import { sql } from "kysely";
import type { Invariant } from "./invariant.ts";
import { closureInvariant } from "./closure-invariant.ts";
import { payoutInvariant } from "./payout-invariant.ts";
import { quoteInvariant } from "./quote-invariant.ts";
import { reservationInvariant } from "./reservation-invariant.ts";

const spendableOf = sql`'customer/' || b.account_id || '/spendable'`;
const heldOf = sql`'customer/' || b.account_id || '/held'`;

export const invariants: readonly Invariant[] = [
  {
    number: 1,
    title: "every journal entry, and so the whole ledger, sums to zero",
    count: sql`select count(*) as count from journal`,
    offenders: sql`
      select entry_id as subject, 'its postings do not sum to zero' as problem
        from postings group by entry_id having sum(amount_cents) <> 0 or count(*) <> 2
      union all
      select 'ledger', 'all postings together do not sum to zero'
        from (select coalesce(sum(amount_cents), 0) as total from postings) as everything
        where total <> 0`,
  },
  {
    number: 2,
    title: "stored balances equal the fold of their postings and are never below zero",
    count: sql`select count(*) as count from balances`,
    offenders: sql`
      with folded as (
        select ledger_account, sum(amount_cents) as cents from postings group by ledger_account
      ), numbered as (
        select account_id, count(*) as entries, max(sequence) as last from journal group by account_id
      )
      select b.account_id as subject, 'the stored balance is not the sum of its postings' as problem
        from balances b
        left join folded s on s.ledger_account = ${spendableOf}
        left join folded h on h.ledger_account = ${heldOf}
        left join numbered n on n.account_id = b.account_id
        where b.available_cents <> coalesce(s.cents, 0) or b.held_cents <> coalesce(h.cents, 0)
          or b.available_cents < 0 or b.held_cents < 0
          or b.entries <> coalesce(n.entries, 0) or b.entries <> coalesce(n.last, 0)
      union all
      select j.id, 'its balance does not follow from the previous entry'
        from journal j left join journal p
          on p.account_id = j.account_id and p.sequence = j.sequence - 1
        where j.balance_after_cents <> coalesce(p.balance_after_cents, 0) + j.change_cents
      union all
      select a.id, 'the account has no balance'
        from accounts a left join balances b on b.account_id = a.id where b.account_id is null`,
  },
  {
    number: 3,
    title: "held is the sum of pending withdrawals, each with one hold and at most one resolution",
    count: sql`select count(*) as count from withdrawals`,
    offenders: sql`
      with pending as (
        select account_id, sum(cents) as cents from withdrawals
          where status = 'PENDING_REVIEW' group by account_id
      ), moved as (
        select reference_id,
          sum(case when type = 'WITHDRAWAL_HOLD' then amount_cents else 0 end) as held,
          sum(case when type = 'WITHDRAWAL_HOLD' then 1 else 0 end) as holds,
          sum(case when type = 'WITHDRAWAL_RELEASE' then amount_cents else 0 end) as released,
          sum(case when type = 'WITHDRAWAL_PAYOUT' then amount_cents else 0 end) as paid,
          sum(case when type = 'WITHDRAWAL_HOLD' then 0 else 1 end) as resolutions
        from journal where reference_kind = 'withdrawal' group by reference_id
      )
      select b.account_id as subject, 'held is not the sum of its pending withdrawals' as problem
        from balances b left join pending p on p.account_id = b.account_id
        where b.held_cents <> coalesce(p.cents, 0)
      union all
      select w.id, 'its hold or its resolution contradicts its status'
        from withdrawals w left join moved m on m.reference_id = w.id
        where coalesce(m.holds, 0) <> 1 or m.held <> w.cents or m.resolutions > 1
          or (w.status = 'PENDING_REVIEW') <> (m.resolutions = 0)
          or (w.status = 'PAID') <> (m.paid = w.cents)
          or (w.status = 'REJECTED') <> (m.released = w.cents)
      union all
      select m.reference_id, 'money moved for a withdrawal that does not exist'
        from moved m left join withdrawals w on w.id = m.reference_id where w.id is null
      union all
      select d.id, 'its review does not record its outcome'
        from withdrawals d join work w on w.withdrawal_id = d.id
        where (d.status = 'PAID') <> (w.state = 'DONE')
          or (d.status = 'REJECTED') <> (w.state = 'FAILED')
          or (d.status = 'PAID') <> (d.transaction_id is not null)`,
  },
  {
    number: 4,
    title: "one charge for each order and each renewal period, none without its order or server",
    count: sql`select count(*) as count from orders`,
    // The id in the cause adds no information, but SQLite finds the order by it. Without it, every charge is compared
    // with every order.
    offenders: sql`
      select o.id as subject, 'it was not charged exactly its total, once' as problem
        from orders o left join journal j
          on j.cause = 'order/' || o.id and j.type = 'ORDER_CHARGE' and j.amount_cents = o.total_cents
            and j.account_id = o.account_id
        where j.id is null
      union all
      select j.id, 'it charges for an order that does not exist'
        from journal j left join orders o on j.cause = 'order/' || o.id
          and o.id = substr(j.cause, length('order/') + 1)
        where j.type = 'ORDER_CHARGE' and o.id is null
      union all
      select j.id, 'it charges for a server that does not exist'
        from journal j left join servers s on s.id = j.reference_id
        where j.type in ('RENEWAL_CHARGE', 'DDOS_CHARGE', 'REFUND') and s.id is null
      union all
      select s.id, 'it was refunded although it was delivered, or not refunded although it was not'
        from servers s left join journal j on j.cause = 'refund/' || s.id
        where (s.state = 'TERMINATED' and s.paid_through is null and s.price_cents > 0)
            <> (j.id is not null)
          or j.amount_cents <> s.price_cents or j.account_id <> s.account_id
      union all
      select o.id, 'the prices of its servers do not sum to its total'
        from orders o left join
          (select order_id, sum(price_cents) as cents, count(*) as servers from servers group by order_id) s
          on s.order_id = o.id
        where coalesce(s.cents, -1) <> o.total_cents or s.servers <> o.quantity`,
  },
  {
    number: 5,
    title: "a machine serves at most one living server, an address has at most one assignment",
    count: sql`select count(*) as count from machines`,
    offenders: sql`
      select m.id as subject, 'its state contradicts its live servers' as problem
        from machines m left join
          (select machine_id, count(*) as living,
             sum(case when state = 'PROVISIONING' then 1 else 0 end) as coming
           from servers where state <> 'TERMINATED' group by machine_id) s
          on s.machine_id = m.id
        where coalesce(s.living, 0) > 1
          or (m.state = 'RESERVED') <> (coalesce(s.coming, 0) = 1)
          or (m.state = 'ASSIGNED') <> (coalesce(s.living, 0) - coalesce(s.coming, 0) = 1)
      union all
      select a.address, 'it has several live assignments'
        from assignments a where a.released_at is null group by a.address having count(*) > 1
      union all
      select a.id, 'it is assigned to a terminated server'
        from assignments a join servers s on s.id = a.server_id
        where a.released_at is null and s.state = 'TERMINATED'
      union all
      select f.config_id || ' in ' || f.region_id, 'the stock is not the count of machines for sale, of all machines and of all servers'
        from (
          select config_id, region_id, sum(free) as free, sum(machines) as machines, sum(servers) as servers from (
            select config_id, region_id, 1 as machines, 0 as servers,
                case when state = 'FREE' and keep_out_reason is null then 1 else 0 end as free from machines
            union all select config_id, region_id, 0, 1, 0 from servers
            union all select config_id, region_id, -machines, -servers, -free from stock
          ) as all_sides group by config_id, region_id
        ) as f where f.free <> 0 or f.machines <> 0 or f.servers <> 0`,
  },
  {
    number: 6,
    title: "one credit for each network, transaction and output, none below its confirmations",
    count: sql`select count(*) as count from deposits`,
    offenders: sql`
      select d.id as subject, 'the credited amount contradicts its state or its amount' as problem
        from deposits d left join journal j on j.type = 'DEPOSIT' and j.reference_id = d.id
        where (d.state = 'CREDITED' and d.usd_cents > 0) <> (j.id is not null)
          or (j.id is not null and (j.amount_cents <> d.usd_cents or j.account_id <> d.account_id))
          or (d.state = 'CREDITED' and d.credited_confirmations < d.confirmations_required)
      union all
      select j.reference_id, 'it is credited twice'
        from journal j where j.type = 'DEPOSIT' group by j.reference_id having count(*) > 1
      union all
      select j.id, 'it credits a deposit that does not exist'
        from journal j left join deposits d on d.id = j.reference_id
        where j.type = 'DEPOSIT' and d.id is null`,
  },
  {
    number: 7,
    title: "an acknowledged write is whole: no key without its answer, no request without its work",
    count: sql`select count(*) as count from idempotency_keys`,
    offenders: sql`
      select key as subject, 'no answer is stored for the key' as problem
        from idempotency_keys where status = 0 or body = ''
      union all
      select s.id, 'no open work item delivers it'
        from servers s left join work w on w.server_id = s.id and w.kind = 'PROVISION'
          and w.state in ('OPEN', 'CLAIMED')
        where s.state = 'PROVISIONING' and w.id is null
      union all
      select w.id, 'the server it delivers is not waiting for delivery'
        from work w join servers s on s.id = w.server_id
        where w.kind = 'PROVISION' and w.state in ('OPEN', 'CLAIMED') and s.state <> 'PROVISIONING'
      union all
      select w.id, 'the machine it wipes is not DIRTY'
        from work w join servers s on s.id = w.server_id join machines m on m.id = s.machine_id
        where w.kind = 'RECLAIM' and w.state in ('OPEN', 'CLAIMED') and m.state <> 'DIRTY'
      union all
      select w.id, 'its state contradicts its claim or its end'
        from work w
        where (w.state = 'CLAIMED' and (w.claimed_by is null or w.lease_until is null))
          or (w.state = 'OPEN' and (w.claimed_by is not null or w.lease_until is not null))
          or (w.state in ('DONE', 'FAILED')) <> (w.ended_at is not null)
      union all
      select a.id, 'no work item exists for it'
        from actions a left join work w on w.action_id = a.id where w.id is null
      union all
      select d.id, 'no work item reviews it'
        from withdrawals d left join work w on w.withdrawal_id = d.id where w.id is null
      union all
      select w.id, 'its server is terminated'
        from work w join servers s on s.id = w.server_id
        where s.state = 'TERMINATED' and w.kind in ('SERVER_ACTION', 'DDOS')
          and w.state in ('OPEN', 'CLAIMED')
      union all
      select s.id, 'its suspension contradicts its state'
        from servers s
        where (s.state = 'SUSPENDED') <> (s.suspended_at is not null)
          or (s.suspended_at is null) <> (s.suspension_reason is null)
      union all
      select a.id, 'it is frozen without a reason, or has a reason without being frozen'
        from accounts a where (a.frozen_at is null) <> (a.frozen_reason is null)
      union all
      select w.id, 'it changes the power of a server in the other state of suspension'
        from work w join servers s on s.id = w.server_id
        where w.kind = 'SERVER_ACTION' and w.action_id is null and w.state in ('OPEN', 'CLAIMED')
          and (w.detail like '{"action":"power_off"%') <> (s.state = 'SUSPENDED')
      union all
      select s.id, 'the queued DDoS change and its work item disagree'
        from servers s left join
          (select server_id, count(*) as living from work
             where kind = 'DDOS' and state in ('OPEN', 'CLAIMED') group by server_id) w
          on w.server_id = s.id
        where s.state <> 'TERMINATED'
          and (s.ddos_requested_mode is not null) <> (coalesce(w.living, 0) = 1)`,
  },
  {
    number: 9,
    title:
      "every credited deposit has an output to its account's address, a rate and its confirmations",
    count: sql`select count(*) as count from deposits where state = 'CREDITED'`,
    offenders: sql`
      select d.id as subject, 'it is credited without a rate, its confirmations or a sum' as problem
        from deposits d
        where d.state = 'CREDITED' and (d.rate is null or d.rate_at is null or d.usd_cents is null
          or d.credited_at is null or d.credited_confirmations < d.confirmations_required)
      union all
      select d.id, 'its address was not issued to its account'
        from deposits d join deposit_addresses a on a.id = d.address_id
        where a.account_id <> d.account_id or a.address <> d.address or a.network <> d.network
      union all
      select a.id, 'its derivation index was never taken'
        from deposit_addresses a join keychains k on k.id = a.keychain_id
        where a.derivation_index >= k.next_index or k.network <> a.network`,
  },
  payoutInvariant,
  quoteInvariant,
  reservationInvariant,
  closureInvariant,
];
