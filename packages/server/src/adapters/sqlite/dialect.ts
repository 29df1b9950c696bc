import {
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SelectModifierNode,
} from "kysely";
import type { Schema } from "../../ports/schema.ts";
import { driverOver } from "../single-connection-driver.ts";
import type { SqliteConnection } from "./connection.ts";

/**
 * A write transaction holds SQLite's only write lock from its first statement on (`begin
 * immediate`), so the row locks that PostgreSQL needs say nothing here and are left out.
 */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === "Distinct") super.visitSelectModifier(node);
  }
}

export function kyselyOver(connection: SqliteConnection): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driverOver(connection),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new LocklessCompiler(),
    },
  });
}
