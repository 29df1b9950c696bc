import type { MigrationStep, SqlDialect } from "#ports/db.ts";

/** Lets the service erase the IP addresses of old audit entries, whose other parts stay as they are. */
export const keptAddresses: MigrationStep = {
  name: "0041-kept-addresses",
  statements: (dialect) => [
    `create table audit_erasure (
       id ${dialect.integer} primary key,
       erased_to text not null,
       constraint audit_erasure_one check (id = 1)
     )${dialect.strict}`,
    "insert into audit_erasure values (1, '')",
    ...addressesErasable(dialect),
  ],
};

/** True unless the change only erases, and details are erased only of a closed account's entries. */
const isForbidden = `
  (new.id, new.at, new.actor, new.action, new.subject)
    <> (old.id, old.at, old.actor, old.action, old.subject)
  or new.ip_address not in (old.ip_address, '')
  or (new.detail <> old.detail and (new.detail <> '{}' or not exists (
    select 1 from accounts where id in (old.actor, old.subject) and closed_at is not null)))`;

function addressesErasable({ engine }: SqlDialect): readonly string[] {
  if (engine === "sqlite") {
    return [
      "drop trigger audit_no_update",
      `create trigger audit_no_update before update on audit when ${isForbidden}
         begin select raise(abort, 'audit is append-only'); end`,
    ];
  }
  return [
    `create or replace function audit_only_erases() returns trigger language plpgsql as
       $$ begin
         if ${isForbidden} then raise exception 'audit is append-only'; end if;
         return new;
       end $$`,
  ];
}
