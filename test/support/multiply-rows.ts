import type { Client } from "pg";

/**
 * Copies every row the given number of times, with a suffix on each key, so that the rows of a copy refer to
 * each other. Needs a superuser, because it disables foreign keys and triggers.
 */
export async function multiplyRows(client: Client, copies: number): Promise<void> {
  const { rows: columns } = await client.query<Column>(listColumns);
  await client.query("set session_replication_role = replica");
  for (const [table, its = []] of Object.entries(Object.groupBy(columns, (row) => row.table))) {
    if (!its.some(({ isKey }) => isKey)) continue;
    const values = its.map(({ name, isKey, isNumber }) => {
      if (isNumber) return `"${name}" + copy * 1000000`;
      return isKey ? `"${name}" || '-copy' || copy` : `"${name}"`;
    });
    await client.query(
      `insert into "${table}" select ${values.join(", ")} from "${table}", generate_series(1, ${copies}) as copy`,
    );
  }
  await client.query("set session_replication_role = origin");
}

interface Column {
  readonly table: string;
  readonly name: string;
  readonly isKey: boolean;
  readonly isNumber: boolean;
}

/**
 * A key is a text column in an index or a foreign key, unless a check constraint lists its values, or one that is unique
 * alone. A number is unique alone.
 */
const listColumns = `
  select pg_class.relname as table, attname as name,
    atttypid = 'text'::regtype
      and (exists (select from pg_index where indrelid = attrelid and attnum = any (indkey))
        or exists (select from pg_constraint where conrelid = attrelid and contype = 'f' and attnum = any (conkey)))
      and (not exists (select from pg_constraint where conrelid = attrelid and contype = 'c' and attnum = any (conkey))
        or exists (select from pg_index where indrelid = attrelid and indisunique and indkey::text = attnum::text))
      as "isKey",
    atttypid = 'bigint'::regtype
      and exists (select from pg_index where indrelid = attrelid and indisunique and indkey::text = attnum::text)
      and not exists (select from pg_constraint where conrelid = attrelid and contype = 'c' and attnum = any (conkey))
      as "isNumber"
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    and relname not like 'schema%'
  order by attrelid, attnum`;
