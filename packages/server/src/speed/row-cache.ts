import { performance, type UVMetrics } from "node:perf_hooks";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SqlValue, Statement } from "#adapters/sqlite/statement.ts";

/** Of each statement. A row takes less than a kilobyte. */
const maxKept = 1_000;

/**
 * Caches rows that were looked up by something unique until anything at all is committed, by whatever process:
 * until then they say the same. SQLite is asked whether that is so once for all requests that the event loop
 * received at once. They had been sent when it was asked, so none was sent after a commit that it does not see.
 */
export class KeptLookUps {
  readonly #dataVersion: StatementSync;
  readonly #rows = new Map<Statement, Map<SqlValue, object>>();
  #version: number | undefined;
  /** When SQLite was asked, as the event loop counts: which turn, and how many events came before. */
  #askedIn: UVMetrics | undefined;

  /** Not of a connection that writes: what it commits itself makes no other version for it. */
  constructor(database: DatabaseSync) {
    this.#dataVersion = database.prepare("pragma data_version");
    this.#dataVersion.setReturnArrays(true);
  }

  /** With the one value that the statement asks for, or none. */
  first(statement: Statement, parameters: readonly SqlValue[]): object | undefined {
    const now = performance.nodeTiming.uvMetricsInfo;
    const isSure =
      this.#askedIn?.loopCount === now.loopCount && this.#askedIn.events === now.events;
    if (!isSure) this.#ask(now);
    let rows = this.#rows.get(statement);
    if (rows === undefined) this.#rows.set(statement, (rows = new Map<SqlValue, object>()));
    const [value = null] = parameters;
    const kept = rows.get(value);
    if (kept !== undefined) return kept;
    const row = statement.first(parameters);
    if (row !== undefined) {
      if (rows.size >= maxKept) rows.clear();
      rows.set(value, Object.freeze(row));
    }
    return row;
  }

  /** Something may have been committed, so SQLite is asked again. */
  readonly doubt = (): void => {
    this.#askedIn = undefined;
  };

  #ask(now: UVMetrics): void {
    const [version] = this.#dataVersion.get() as unknown as [number];
    if (version !== this.#version) this.#rows.clear();
    this.#version = version;
    this.#askedIn = now;
  }
}
