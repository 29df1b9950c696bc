import type { PostgresWrappers } from "#adapters/postgres/open-postgres.ts";
import type { RowCache } from "#adapters/sqlite/open-sqlite.ts";
import type { WrapRoute } from "#http/routes.ts";
import { batchedLookups } from "#speed/batched-lookups.ts";
import { pipelinedReads } from "#speed/pipelined-reads.ts";
import { pipelinedWrites } from "#speed/pipelined-writes.ts";
import { responseCache } from "#speed/response-cache.ts";
import { rowCache } from "#speed/row-cache.ts";

/** Optimisations. Each is an optional wrapper, and none changes the service's answers. */
export interface Speed extends PostgresWrappers {
  readonly responseCache?: WrapRoute | undefined;
  readonly rowCache?: RowCache | undefined;
}

/** Delete a line to switch that optimisation off. */
export const everyWrapper: Speed = {
  responseCache,
  rowCache,
  batchedLookups,
  pipelinedReads,
  pipelinedWrites,
};
