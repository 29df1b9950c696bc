import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import { dayMs, idsBetween } from "#kernel/ledger-days.ts";
import { monthOf } from "./month.ts";

/** One entry of the whole ledger in double entry. */
export interface ExportedEntry {
  readonly at: number;
  readonly id: string;
  readonly debitAccount: string;
  readonly creditAccount: string;
  readonly cents: number;
  readonly type: string;
  readonly reference: string;
}

const perPage = 500;

/**
 * Every entry of a month, customers' and the house's, in the order of their ids. An entry debits the account that the
 * amount leaves: a deposit debits settlement, and credits what the house owes the customer.
 */
export function exportLedger(core: Core, month: string | undefined) {
  const { name, firstDay, endDay } = monthOf(core, month);
  return { month: name, pages: () => pagesOf(core, firstDay * dayMs, endDay * dayMs) };
}

async function* pagesOf(
  core: Core,
  from: number,
  to: number,
): AsyncGenerator<readonly ExportedEntry[]> {
  const { firstId, lastId } = idsBetween(core, from, to);
  let after = firstId;
  for (;;) {
    const { rows } = await sql<ExportedEntry>`
      select id, created_at as at, from_account as "debitAccount", to_account as "creditAccount",
             amount_cents as cents, type, reference
        from (select * from (select id, created_at, from_account, to_account, amount_cents, type,
                     reference_kind || '/' || reference_id as reference
                from journal where id > ${after} and id < ${lastId}
               order by id limit ${sql.lit(perPage)}) as customers
              union all
              select * from (select id, created_at, from_account, to_account, amount_cents,
                     case when from_account = 'house/network-fees' then 'NETWORK_FEE'
                          else 'PAYOUT_COINS' end as type,
                     reference_kind || '/' || reference_id as reference
                from house_entries where id > ${after} and id < ${lastId}
               order by id limit ${sql.lit(perPage)}) as house) as entries
       order by id limit ${sql.lit(perPage)}`.execute(core.db.read);
    const page = rows.filter(({ at }) => at >= from && at < to);
    if (page.length > 0) yield page;
    const last = rows.at(-1);
    if (last === undefined || rows.length < perPage) return;
    after = last.id;
  }
}
