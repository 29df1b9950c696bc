import type { SqlDialect } from "#ports/db.ts";

/** Triggers that make the database refuse every update and delete on a table, or only some of these. */
export function appendOnly(
  table: string,
  { engine }: SqlDialect,
  verbs: readonly ("update" | "delete")[] = ["update", "delete"],
): readonly string[] {
  if (engine === "sqlite") {
    return verbs.map(
      (verb) =>
        `create trigger ${table}_no_${verb} before ${verb} on ${table}
           begin select raise(abort, '${table} is append-only'); end`,
    );
  }
  return [
    `create function ${table}_is_append_only() returns trigger language plpgsql as
       $$ begin raise exception '${table} is append-only'; end $$`,
    ...verbs.map(
      (verb) =>
        `create trigger ${table}_no_${verb} before ${verb} on ${table}
           for each row execute function ${table}_is_append_only()`,
    ),
    `create trigger ${table}_no_truncate before truncate on ${table}
       for each statement execute function ${table}_is_append_only()`,
  ];
}
