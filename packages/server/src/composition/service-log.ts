import { createLog, flushLog, readableLines } from "#adapters/system/log.ts";
import type { Config } from "#config.ts";
import type { Log } from "#ports/log.ts";

/** The service's log: JSON lines, or readable lines for a preview on a terminal. */
export function openServiceLog(config: Config): {
  readonly log: Log;
  /** Resolves when every line has been written. */
  readonly flush: () => Promise<void>;
} {
  const isReadable = config.mode === "preview" && process.stdout.isTTY;
  const log = createLog(config.logLevel, isReadable ? readableLines(process.stdout) : undefined);
  return { log, flush: () => flushLog(log) };
}
