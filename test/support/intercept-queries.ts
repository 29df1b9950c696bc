import type { DatabaseConnection, Dialect, Kysely } from "kysely";
import { SingleConnectionKysely } from "#server/adapters/single-connection-kysely.ts";
import type { Schema } from "#server/ports/schema.ts";

type Adapter = ReturnType<Dialect["createAdapter"]>;

/** A Kysely instance that compiles queries in the engine's dialect and passes them to `executeQuery`. */
export function interceptQueries(
  engine: Kysely<Schema>,
  executeQuery: DatabaseConnection["executeQuery"],
): SingleConnectionKysely {
  const like = engine.getExecutor();
  return new SingleConnectionKysely(
    { executeQuery, streamQuery: () => Promise.reject(new Error("nothing streams")) as never },
    {
      // Lets queries overlap, so that one that waits does not block the others.
      createAdapter: () =>
        Object.create(like.adapter, { supportsMultipleConnections: { value: true } }) as Adapter,
      createIntrospector: () => engine.introspection,
      createQueryCompiler: () => ({
        compileQuery: (node, queryId) => like.compileQuery(node, queryId),
      }),
    },
  );
}
