import { openEngine } from "#test/engines.ts";
import { prepareCast } from "./cast.ts";
import { gateQueries, type GatedQueries } from "./gated-queries.ts";
import type { Grounds } from "./ground.ts";

/** A PostgreSQL database for each run. Whoever dies there loses the connection, and so its transaction. */
export async function postgresGrounds(): Promise<Grounds> {
  let queries: GatedQueries | undefined;
  return {
    engine: "postgres",
    next: async () => {
      const { db, reopen, dispose } = await openEngine("postgres");
      const cast = await prepareCast(db);
      queries ??= gateQueries(db);
      return { ...{ cast, queries }, open: reopen, leaveToNext: () => {}, remove: dispose };
    },
    close: async () => {},
  };
}
