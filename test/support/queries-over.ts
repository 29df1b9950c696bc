import type { DatabaseConnection, Dialect, Kysely } from "kysely";
import { SingleConnectionKysely } from "#server/adapters/single-connection-kysely.ts";
import type { Schema } from "#server/ports/schema.ts";

type Adapter = ReturnType<Dialect["createAdapter"]>;

/** Queries in the engine's own words, each of which is handed over instead of being asked. */
export function queriesOver(
  engine: Kysely<Schema>,
  executeQuery: DatabaseConnection["executeQuery"],
): SingleConnectionKysely {
  const like = engine.getExecutor();
  return new SingleConnectionKysely(
    { executeQuery, streamQuery: () => Promise.reject(new Error("nothing streams")) as never },
    {
      // Whoever is made to wait must not keep others from being handed over.
      createAdapter: () =>
        Object.create(like.adapter, { supportsMultipleConnections: { value: true } }) as Adapter,
      createIntrospector: () => engine.introspection,
      createQueryCompiler: () => ({
        compileQuery: (node, queryId) => like.compileQuery(node, queryId),
      }),
    },
  );
}
