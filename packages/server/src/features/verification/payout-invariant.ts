import { sql } from "kysely";
import type { Invariant } from "./invariant.ts";

export const payoutInvariant: Invariant = {
  number: 10,
  title: "a payout pays its withdrawals exactly, once, with coins that no other payout spends",
  count: sql`select count(*) as count from payouts`,
  offenders: sql`
      select p.id as subject, 'its withdrawals are not what it pays' as problem
        from payouts p left join
          (select x.payout_id, sum(x.cents) as cents,
             sum(case when w.cents = x.cents and w.destination = x.destination and w.asset = o.asset
               then 0 else 1 end) as wrong
           from payout_withdrawals x join withdrawals w on w.id = x.withdrawal_id
             join payouts o on o.id = x.payout_id group by x.payout_id) s
          on s.payout_id = p.id
        where coalesce(s.cents, -1) <> p.cents or s.wrong > 0
      union all
      select p.id, 'the state of its withdrawals contradicts its own'
        from payouts p join payout_withdrawals x on x.payout_id = p.id
          join withdrawals w on w.id = x.withdrawal_id
        where (p.state in ('PREPARED', 'SIGNED')
            and (w.payout_id is null or w.payout_id <> p.id or w.status <> 'PENDING_REVIEW'))
          or (p.state in ('BROADCAST', 'CONFIRMED', 'FAILED')
            and (w.payout_id is null or w.payout_id <> p.id or w.status <> 'PAID'))
          or (p.state = 'CONFIRMED' and w.transaction_id <> p.transaction_id)
          or (p.state = 'CANCELLED' and w.payout_id = p.id)
      union all
      select w.id, 'its payout does not pay it'
        from withdrawals w left join payout_withdrawals x
          on x.withdrawal_id = w.id and x.payout_id = w.payout_id
        where w.payout_id is not null and x.payout_id is null
      union all
      select p.id, 'its pins contradict its state'
        from payouts p left join
          (select payout_id, count(*) as pins from payout_pins group by payout_id) s
          on s.payout_id = p.id
        where (p.state in ('CANCELLED', 'FAILED')) <> (coalesce(s.pins, 0) = 0)
      union all
      select t.payout_id, 'it was sent without approval, or pays with a transaction of another payer'
        from payout_transactions t join payouts p on p.id = t.payout_id
          left join paying_transactions y on y.network = p.network
            and y.transaction_id = lower(t.transaction_id) and y.payer_id = p.id
        where t.sent_at is not null and (p.broadcast_by is null or y.payer_id is null)
      union all
      select p.id, 'its coins and its fee are not in the ledger'
        from payouts p left join house_entries c on c.cause = 'payout/' || p.id || '/coins'
          left join house_entries f on f.cause = 'payout/' || p.id || '/fee'
        where (p.state = 'CONFIRMED') <> (c.id is not null)
          or (p.state = 'CONFIRMED' and f.id is null) or c.amount_cents <> p.cents`,
};
