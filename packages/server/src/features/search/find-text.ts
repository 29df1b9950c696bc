import { limits } from "@ironlease/contract";
import { sql, type RawBuilder } from "kysely";
import type { Core } from "#kernel/core.ts";
import { inBytes, startsWith } from "#kernel/sql/prefix.ts";
import type { SearchResult } from "./search-result.ts";
import {
  selectAccount,
  selectMachine,
  selectPayout,
  selectServer,
  selectWorkItem,
} from "./selections.ts";

const most = sql.lit(limits.searchResults);

/** What a text may be the beginning of, or the whole of a transaction id or deposit address. */
export async function findText({ db }: Core, text: string): Promise<readonly SearchResult[]> {
  const { engine } = db;
  // Usernames, host names and hexadecimal transaction ids are stored in lower case.
  const small = sql`${text.toLowerCase()}`;
  // The engines differ in letters beyond ASCII, so the engine that made the index also folds the text.
  const folded = sql`lower(cast(${text} as text))`;
  const ids = sql`(${text}, ${small})`;
  const first = (column: RawBuilder<unknown>, prefix: RawBuilder<unknown>) =>
    sql`${startsWith(engine, column, prefix)} order by ${inBytes(engine, column)} limit ${most}`;
  const hostname = sql.ref("servers.hostname");
  const label = sql`lower(servers.label)`;
  const assetTag = sql`lower(machines.asset_tag)`;
  const serialNumber = sql`lower(machines.serial_number)`;
  const username = sql.ref("accounts.username");
  const exact = { by: "transactionId", text: sql`${text}` } as const;
  const parts = [
    sql`${selectAccount({ by: "username", text: username })} where ${first(username, small)}`,
    sql`${selectAccount({ by: "depositAddress", text: sql`${text}` })} where accounts.id in (
      select account_id from deposit_addresses where address = ${text}) limit ${most}`,
    sql`${selectAccount(exact)} where accounts.id in (
      select account_id from deposits where transaction_id in ${ids} limit ${most}) limit ${most}`,
    sql`${selectServer({ by: "hostname", text: hostname })}
      where servers.hostname is not null and ${first(hostname, small)}`,
    sql`${selectServer({ by: "label", text: sql`servers.label` })}
      where servers.label <> '' and ${first(label, folded)}`,
    sql`${selectMachine({ by: "assetTag", text: sql`machines.asset_tag` })}
      where ${first(assetTag, folded)}`,
    sql`${selectMachine({ by: "serialNumber", text: sql`machines.serial_number` })}
      where machines.serial_number is not null and ${first(serialNumber, folded)}`,
    sql`${selectWorkItem(exact)} where work.withdrawal_id in (
      select id from withdrawals where transaction_id in ${ids} limit ${most}) limit ${most}`,
    sql`${selectPayout(exact)} where payouts.transaction_id in ${ids} limit ${most}`,
  ].map((part) => sql`select * from (${part}) as found`);
  const { rows } = await sql<SearchResult>`${sql.join(parts, sql` union all `)}`.execute(db.read);
  return rows;
}
