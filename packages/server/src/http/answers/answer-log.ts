import pino, { type Logger } from "pino";

/** What the log is told of an answer. All of it is made here, so none of it needs to be escaped. */
export interface AnswerEntry {
  readonly requestId: string;
  readonly operation: string | undefined;
  /** One of those that Node's parser knows. */
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  /** Of a refusal, what else is to be known. */
  readonly refused: object | undefined;
}

interface LineStream {
  write(line: string): void;
}

/**
 * Writes the line that `log.info` would, put together by hand: there is one with every request, and a logger
 * that takes anything needs as long for it as the request's look-up of its session.
 */
export function answerLog(log: Logger): (entry: AnswerEntry) => void {
  if (!log.isLevelEnabled("info")) return () => {};
  const stream = (log as Logger & Record<symbol, LineStream>)[pino.symbols.streamSym] as LineStream;
  return ({ requestId, operation, method, status, ms, refused }) => {
    const named = operation === undefined ? "" : `,"operation":"${operation}"`;
    const more = refused === undefined ? "" : `,${JSON.stringify(refused).slice(1, -1)}`;
    const rounded = Math.round(ms * 100) / 100;
    stream.write(
      `{"level":30,"time":${Date.now()},"requestId":"${requestId}"${named},"method":"${method}","status":${status},"ms":${rounded}${more}}\n`,
    );
  };
}
