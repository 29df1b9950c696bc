import type { MigrationStep, SqlDialect } from "#ports/db.ts";

/** The tables behind an account's lists, and the changes to them that add no journal row. */
const countedChanges = {
  // Only an order inserts servers, and its charge adds a journal row.
  servers: ["update"],
  api_keys: ["insert", "update", "delete"],
  ssh_keys: ["insert", "update", "delete"],
  deposits: ["insert", "update", "delete"],
} as const;

type Verb = (typeof countedChanges)[keyof typeof countedChanges][number];

/** Counts changes to an account's lists, so that responses can be cached until the count changes. */
export const listChanges: MigrationStep = {
  name: "0006-list-changes",
  statements: (dialect) => [
    `alter table balances add column list_changes ${dialect.integer} not null default 0`,
    ...Object.entries(countedChanges).flatMap(([table, verbs]) =>
      verbs.flatMap((verb) => countingTrigger(table, verb, dialect)),
    ),
  ],
};

function countingTrigger(table: string, verb: Verb, { engine }: SqlDialect): readonly string[] {
  const name = `${table}_${verb}_counted`;
  const count = "update balances set list_changes = list_changes + 1 where account_id";
  const row = verb === "delete" ? "old" : "new";
  if (engine === "sqlite") {
    return [
      `create trigger ${name} after ${verb} on ${table}
         begin ${count} = ${row}.account_id; end`,
    ];
  }
  // Once per statement, because a renewal run changes many servers of one account at a time.
  return [
    `create function ${name}() returns trigger language plpgsql as
       $$ begin ${count} in (select account_id from changed); return null; end $$`,
    `create trigger ${name} after ${verb} on ${table}
       referencing ${row} table as changed
       for each statement execute function ${name}()`,
  ];
}
