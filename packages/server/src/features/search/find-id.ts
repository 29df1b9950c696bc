import { sql, type RawBuilder } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { SearchResult } from "./search-result.ts";
import {
  selectAccount,
  selectMachine,
  selectPayout,
  selectServer,
  selectThread,
  selectWorkItem,
} from "./selections.ts";

type Find = (id: string) => RawBuilder<SearchResult>;

const byId = (id: string) => ({ by: "id", text: sql`${id}` }) as const;
const accountOf =
  (table: string): Find =>
  (id) =>
    sql`${selectAccount(byId(id))}
      where accounts.id = (select account_id from ${sql.table(table)} where id = ${id})`;
const workOf =
  (column: string): Find =>
  (id) =>
    sql`${selectWorkItem(byId(id))} where ${sql.ref(`work.${column}`)} = ${id}`;

/** The page that shows a record, by the prefix of the record's id. */
const finders: Readonly<Record<string, Find>> = {
  acc: (id) => sql`${selectAccount(byId(id))} where accounts.id = ${id}`,
  srv: (id) => sql`${selectServer(byId(id))} where servers.id = ${id}`,
  net: (id) => sql`${selectServer(byId(id))}
    where servers.id = (select server_id from assignments where id = ${id})`,
  mch: (id) => sql`${selectMachine(byId(id))} where machines.id = ${id}`,
  wrk: workOf("id"),
  act: (id) => sql`${selectWorkItem(byId(id))}
    where work.action_id = ${id}
      and work.server_id = (select server_id from actions where id = ${id})`,
  ddr: (id) => sql`${selectWorkItem(byId(id))}
    where work.ddos_request_id = ${id}
      and work.server_id = (select server_id from ddos_requests where id = ${id})`,
  wdr: workOf("withdrawal_id"),
  run: (id) => sql`${selectWorkItem(byId(id))}
    where work.id = (select work_id from hardware_runs where id = ${id})`,
  thr: (id) => sql`${selectThread(byId(id))} where threads.id = ${id}`,
  msg: (id) => sql`${selectThread(byId(id))}
    where threads.id = (select thread_id from messages where id = ${id})`,
  pay: (id) => sql`${selectPayout(byId(id))} where payouts.id = ${id}`,
  ord: accountOf("orders"),
  dep: accountOf("deposits"),
  dpa: accountOf("deposit_addresses"),
  led: accountOf("journal"),
  ses: accountOf("sessions"),
  key: accountOf("api_keys"),
  ssh: accountOf("ssh_keys"),
  pas: accountOf("passkeys"),
  whk: accountOf("webhooks"),
  wad: accountOf("withdrawal_addresses"),
  nte: accountOf("account_notes"),
};

/** The one record with an id, or none. */
export async function findId(
  { db }: Core,
  prefix: string,
  id: string,
): Promise<readonly SearchResult[]> {
  const find = finders[prefix];
  return find === undefined ? [] : (await find(id).execute(db.read)).rows;
}
