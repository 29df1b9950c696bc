import {
  LimitNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
  type DatabaseConnection,
  type Kysely,
  type SelectModifierNode,
} from "kysely";
import type { Schema } from "#ports/schema.ts";
import { SingleConnectionKysely } from "#adapters/single-connection-kysely.ts";

class Compiler extends SqliteQueryCompiler {
  /**
   * A write transaction holds SQLite's only write lock from its first statement on (`begin
   * immediate`), so the row locks that PostgreSQL needs are left out.
   */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === "Distinct") super.visitSelectModifier(node);
  }

  /** SQLite replans a statement whose limit is bound on every run, and there are few different limits. */
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node;
    const isNumber = ValueNode.is(limit) && typeof limit.value === "number";
    super.visitLimit(isNumber ? LimitNode.create(ValueNode.createImmediate(limit.value)) : node);
  }
}

export function kyselyOver(connection: DatabaseConnection): Kysely<Schema> {
  return new SingleConnectionKysely(connection, {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  });
}
