import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Kysely,
  type SelectModifierNode,
} from "kysely";
import type { Schema } from "../../ports/schema.ts";
import { SingleConnectionKysely } from "../single-connection-kysely.ts";
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
  return new SingleConnectionKysely(connection, {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new LocklessCompiler(),
  });
}
