import type { MigrationStep } from "#ports/db.ts";

/** Keeps the trace of the request that caused work for later, as a `traceparent` header (W3C Trace Context). */
export const traces: MigrationStep = {
  name: "0040-traces",
  statements: () =>
    ["deliveries", "hardware_runs", "published_ptrs"].map(
      (table) => `alter table ${table} add column traceparent text`,
    ),
};
