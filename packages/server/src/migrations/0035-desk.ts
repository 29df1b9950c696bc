import type { MigrationStep, SqlDialect } from "#ports/db.ts";

/**
 * What operators search and filter by: the region and the assignee of work, the beginnings of names, and the work of
 * one server. And their notes on accounts.
 */
export const desk: MigrationStep = {
  name: "0035-desk",
  statements: (dialect) => [
    "alter table work add column region_id text",
    "alter table work add column assigned_to text references operators (id)",
    "update work set region_id = (select region_id from servers where servers.id = work.server_id)",
    // A page of the work of one kind is ordered by id.
    "drop index work_by_state",
    "create index work_by_state on work (state, kind, id)",
    "create index work_by_region on work (region_id, state, id)",
    "create index work_by_assignee on work (assigned_to, state, id) where assigned_to is not null",
    "create index work_by_holder on work (claimed_by, state, id) where claimed_by is not null",
    "create index work_by_server_and_id on work (server_id, id)",
    `create index audit_access_changes on audit (subject, id)
       where action in ('account.change_password', 'account.recover', 'account.remove_totp')`,
    "create index payouts_by_transaction on payouts (transaction_id)",
    ...prefixIndexes(dialect),
    `create table account_notes (
       id text primary key,
       account_id text not null references accounts (id),
       operator_id text not null references operators (id),
       text text not null,
       created_at ${dialect.integer} not null,
       constraint account_notes_text_bounded check (length(text) between 1 and 2000)
     )${dialect.strict}`,
    "create index account_notes_by_account on account_notes (account_id, id)",
  ],
};

/** PostgreSQL compares by the rules of a language by default, in which a prefix is no range. See `kernel/sql/prefix.ts`. */
function prefixIndexes({ engine }: SqlDialect): readonly string[] {
  const bytes = engine === "postgres" ? ' collate "C"' : "";
  return [
    `create index accounts_by_prefix on accounts (username${bytes})`,
    `create index servers_by_hostname on servers (hostname${bytes}) where hostname is not null`,
    `create index servers_by_label on servers (lower(label)${bytes}) where label <> ''`,
    `create index machines_by_asset_tag on machines (lower(asset_tag)${bytes})`,
    `create index machines_by_serial_number on machines (lower(serial_number)${bytes})
       where serial_number is not null`,
  ];
}
