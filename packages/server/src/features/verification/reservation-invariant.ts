import { sql } from "kysely";
import type { Invariant } from "./invariant.ts";

/** A place is unused, released, reserved or assigned, and no two of these at once. */
export const reservationInvariant: Invariant = {
  number: 12,
  title: "a reserved address belongs to an open delivery and to nothing else",
  count: sql`select count(*) as count from address_reservations`,
  offenders: sql`
    select r.work_id as subject, 'it reserves an address, but is no open delivery' as problem
      from address_reservations r left join work w on w.id = r.work_id
      where w.id is null or w.kind <> 'PROVISION' or w.state not in ('OPEN', 'CLAIMED')
    union all
    select r.work_id, 'its reserved address is of another region or family, or was never taken'
      from address_reservations r join work w on w.id = r.work_id
        join servers s on s.id = w.server_id join subnets n on n.id = r.subnet_id
      where n.region_id <> s.region_id or n.family <> r.family or r.place >= n.next_index
    union all
    select r.work_id, 'its reserved address is free for others'
      from address_reservations r join released_places f
        on f.subnet_id = r.subnet_id and f.place = r.place
    union all
    select n.id, 'its assigned, reserved and free addresses are not those that were taken'
      from subnets n
        left join (select subnet_id, count(*) as places from assignments
          where released_at is null group by subnet_id) a on a.subnet_id = n.id
        left join (select subnet_id, count(*) as places from address_reservations
          group by subnet_id) r on r.subnet_id = n.id
        left join (select subnet_id, count(*) as places from released_places
          group by subnet_id) f on f.subnet_id = n.id
      where coalesce(a.places, 0) + coalesce(r.places, 0) + coalesce(f.places, 0)
        <> n.next_index - case n.family when 4 then 2 else 0 end`,
};
