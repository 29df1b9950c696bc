import type { Log } from "#ports/log.ts";

/** The log entry of an answer. The server makes all of its values, so none needs escaping. */
export interface AnswerEntry {
  readonly requestId: string;
  readonly operation: string | undefined;
  /** A method that Node's parser knows. */
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  /** Further fields of a refusal. */
  readonly refused: object | undefined;
}

/**
 * Builds the line that `log.info` would write by hand. Every request has one, and a general-purpose logger takes as long
 * for it as the request takes for its session lookup.
 */
export function answerLog(log: Log): (entry: AnswerEntry) => void {
  if (!log.isLevelEnabled("info")) return () => {};
  return ({ requestId, operation, method, status, ms, refused }) => {
    const named = operation === undefined ? "" : `,"operation":"${operation}"`;
    const more = refused === undefined ? "" : `,${JSON.stringify(refused).slice(1, -1)}`;
    const rounded = Math.round(ms * 100) / 100;
    log.writeLine(
      `{"level":30,"time":${Date.now()},"requestId":"${requestId}"${named},"method":"${method}","status":${status},"ms":${rounded}${more}}\n`,
    );
  };
}
