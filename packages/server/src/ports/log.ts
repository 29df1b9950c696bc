import type { Logger } from "pino";

/** A structured log, one JSON object per line. */
export interface Log extends Logger {
  /** Writes a finished line, with its line break. The caller checks the level and escapes the values. */
  writeLine(line: string): void;
}
