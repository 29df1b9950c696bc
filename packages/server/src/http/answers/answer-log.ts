import type { Log } from "#ports/log.ts";

/** The log entry of an answer. The server or Node's parser defines its strings, so none needs escaping. */
export interface AnswerEntry {
  readonly requestId: string;
  /** Hexadecimal digits, if the client sent a trace context. */
  readonly traceId: string | undefined;
  readonly operation: string | undefined;
  /** A method that Node's parser knows. */
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  /** Further fields of a refusal. */
  readonly refused: object | undefined;
}

/**
 * Writes the same line as `log.info`, built by hand. Every request logs one, and the general-purpose
 * logger takes as long for it as the session lookup takes.
 */
export function answerLog(log: Log): (entry: AnswerEntry) => void {
  if (!log.isLevelEnabled("info")) return () => {};
  return ({ requestId, traceId, operation, method, status, ms, refused }) => {
    const traced = traceId === undefined ? "" : `,"traceId":"${traceId}"`;
    const named = operation === undefined ? "" : `,"operation":"${operation}"`;
    const more = refused === undefined ? "" : `,${JSON.stringify(refused).slice(1, -1)}`;
    const rounded = Math.round(ms * 100) / 100;
    log.writeLine(
      `{"level":30,"time":${Date.now()},"requestId":"${requestId}"${traced}${named},"method":"${method}","status":${status},"ms":${rounded}${more}}\n`,
    );
  };
}
