import {
  LimitNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
  type Kysely,
  type SelectModifierNode,
} from "kysely";
import type { Schema } from "#ports/schema.ts";
import { SingleConnectionKysely } from "#adapters/single-connection-kysely.ts";
import type { SqliteConnection } from "./connection.ts";

class Compiler extends SqliteQueryCompiler {
  /**
   * A write transaction holds SQLite's only write lock from its first statement on (`begin
   * immediate`), so the row locks that PostgreSQL needs say nothing here and are left out.
   */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === "Distinct") super.visitSelectModifier(node);
  }

  /** A limit that is bound makes SQLite plan the statement anew each time; there are few different ones. */
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node;
    const isNumber = ValueNode.is(limit) && typeof limit.value === "number";
    super.visitLimit(isNumber ? LimitNode.create(ValueNode.createImmediate(limit.value)) : node);
  }
}

export function kyselyOver(connection: SqliteConnection): Kysely<Schema> {
  return new SingleConnectionKysely(connection, {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  });
}
