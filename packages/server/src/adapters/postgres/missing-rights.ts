import pg from "pg";
import { translate } from "./connection.ts";
import { Primary } from "./primary.ts";

const connectMs = 5_000;

/** The tables that the migrations created: same schema and owner as `schema_migrations`. */
const ourTables = `
  select ours.oid, ours.relname, ours.relowner
    from pg_class as ours
    join pg_class as known on known.oid = to_regclass('schema_migrations')
   where ours.relnamespace = known.relnamespace and ours.relowner = known.relowner
     and ours.relkind = 'r'`;

/** A sentence that names the privilege the role lacks to start the service. Undefined if it lacks none. */
export async function missingRights(
  url: string,
  isMigrating: boolean,
): Promise<string | undefined> {
  const primary = new Primary(url, { connectionTimeoutMillis: connectMs });
  await primary.locate();
  const client = new pg.Client({
    connectionString: primary.url,
    connectionTimeoutMillis: connectMs,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return await (isMigrating ? missingToMigrate(client) : missingToServe(client));
  } catch (error) {
    throw translate(error);
  } finally {
    await client.end();
  }
}

async function missingToMigrate(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ role: string; schema: string | null; may: boolean | null }>(
    `select current_user as role, current_schema() as schema,
            has_schema_privilege(current_schema(), 'create') as may`,
  );
  const { role, schema = null, may } = rows[0] ?? { role: "", may: false };
  const owned = await client.query<{ owner: string }>(
    `select pg_get_userbyid(relowner) as owner from (${ourTables}) as ours
      where not pg_has_role(relowner, 'usage') limit 1`,
  );
  const [foreign] = owned.rows;
  if (foreign !== undefined) {
    return `role ${role} cannot change the tables: run ironleased migrate as their owner, ${foreign.owner}`;
  }
  if (schema === null) return `role ${role} has no schema: check its search_path`;
  return may === true
    ? undefined
    : `role ${role} cannot create tables in schema ${schema}: run ironleased migrate as a role that can`;
}

async function missingToServe(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ role: string; tables: string }>(
    `select current_user as role, string_agg(relname, ', ' order by relname) as tables
       from (${ourTables}) as ours
      where not has_table_privilege(oid, 'select')
         or (relname not like 'schema\\_%' and not has_table_privilege(oid, 'insert'))
      having count(*) > 0`,
  );
  const [lacking] = rows;
  return lacking === undefined
    ? undefined
    : `role ${lacking.role} cannot read or write ${lacking.tables}: grant the privileges listed in docs/guides/run-it.md`;
}
