import type { MigrationStep, SqlDialect } from "#ports/db.ts";

/** What an account lists and what may change without an entry in its ledger. */
const listed = {
  // An order inserts them, and charges for them with an entry.
  servers: ["update"],
  api_keys: ["insert", "update", "delete"],
  ssh_keys: ["insert", "update", "delete"],
  deposits: ["insert", "update", "delete"],
} as const;

type Verb = (typeof listed)[keyof typeof listed][number];

/** Counts the changes of what an account lists, so that an answer can be kept for as long as it is true. */
export const listChanges: MigrationStep = {
  name: "0006-list-changes",
  statements: (dialect) => [
    `alter table balances add column list_changes ${dialect.integer} not null default 0`,
    ...Object.entries(listed).flatMap(([table, verbs]) =>
      verbs.flatMap((verb) => counting(table, verb, dialect)),
    ),
  ],
};

function counting(table: string, verb: Verb, { engine }: SqlDialect): readonly string[] {
  const name = `${table}_${verb}_counted`;
  const count = "update balances set list_changes = list_changes + 1 where account_id";
  const row = verb === "delete" ? "old" : "new";
  if (engine === "sqlite") {
    return [
      `create trigger ${name} after ${verb} on ${table}
         begin ${count} = ${row}.account_id; end`,
    ];
  }
  // Once a statement: a pass changes many servers of one account at a time.
  return [
    `create function ${name}() returns trigger language plpgsql as
       $$ begin ${count} in (select account_id from changed); return null; end $$`,
    `create trigger ${name} after ${verb} on ${table}
       referencing ${row} table as changed
       for each statement execute function ${name}()`,
  ];
}
