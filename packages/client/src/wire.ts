/** The part of `fetch` that the client uses. Implemented by `globalThis.fetch` and `createNodeFetch`. */
export type Fetch = (url: string, init: WireRequest) => Promise<WireAnswer>;

export interface WireRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly credentials: "omit" | "same-origin";
  readonly redirect: "error";
  readonly cache: "no-store";
  /**
   * Use a new connection if possible. The server may have closed an idle one, and a request that cannot
   * be retried must not be lost to that.
   */
  readonly fresh: boolean;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null; getSetCookie?(): string[] };
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A monotonic clock in milliseconds. */
export interface Clock {
  now(): number;
  /** Resolves after the time, or rejects with the reason of the signal. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(reasonOf(signal));
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      }, ms);
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    }),
};

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason));
}

/** A complete response, or the reason why there is none. */
export type Received =
  | { readonly kind: "answer"; readonly answer: WireAnswer; readonly bytes: ArrayBuffer }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "timeout"; readonly isSent: boolean }
  | { readonly kind: "aborted"; readonly reason: unknown; readonly isSent: boolean };

export interface Limits {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Sends a request once and reads the whole response, within the time limit. */
export async function exchange(
  fetch: Fetch,
  url: string,
  request: Omit<WireRequest, "signal">,
  { clock, timeoutMs, signal }: Limits,
): Promise<Received> {
  if (signal.aborted) return { kind: "aborted", reason: signal.reason, isSent: false };
  const cut = new AbortController();
  const ended = new AbortController();
  const stopped = new Promise<Received>((resolve) => {
    const stop = (received: Received) => {
      resolve(received);
      cut.abort();
    };
    signal.addEventListener(
      "abort",
      () => stop({ kind: "aborted", reason: signal.reason, isSent: true }),
      {
        once: true,
        signal: ended.signal,
      },
    );
    clock.wait(timeoutMs, ended.signal).then(
      () => stop({ kind: "timeout", isSent: true }),
      () => undefined,
    );
  });
  // A fetch that ignores its signal continues in the background.
  const receiving = receive(fetch, url, { ...request, signal: cut.signal });
  const received = await Promise.race([receiving, stopped]);
  ended.abort();
  if (received.kind !== "timeout" && received.kind !== "aborted") return received;
  return (await isUnsentAfterCut(receiving)) ? { ...received, isSent: false } : received;
}

/** If a fetch was aborted before it had a connection, it may report so immediately. */
async function isUnsentAfterCut(receiving: Promise<Received>): Promise<boolean> {
  const soon = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), 0);
  });
  const cut = await Promise.race([receiving, soon]);
  return cut?.kind === "failed" && isUnsent(cut.error);
}

async function receive(fetch: Fetch, url: string, request: WireRequest): Promise<Received> {
  try {
    const answer = await fetch(url, request);
    return { kind: "answer", answer, bytes: await answer.arrayBuffer() };
  } catch (error) {
    return { kind: "failed", error };
  }
}

interface SystemError {
  readonly syscall?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
  /** Set by `createNodeFetch` on its own errors. */
  readonly sent?: unknown;
}

/** Node's error codes for untrusted certificates. ERR_SSL errors may occur after the request was sent. */
const untrusted = /^(?!ERR_SSL)\w*CERT|^UNABLE_TO_VERIFY|^ERR_TLS/;

/** Whether the certificate is not trusted, so that a retry would fail the same way. */
export function isUntrusted(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, cause } = error as SystemError;
  return (typeof code === "string" && untrusted.test(code)) || isUntrusted(cause);
}

/** Whether the request was certainly not sent, because there was no connection yet. */
export function isUnsent(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { syscall, cause, errors, sent } = error as SystemError;
  if (sent === false || syscall === "connect" || syscall === "getaddrinfo") return true;
  if (errors !== undefined && errors.length > 0) return errors.every(isUnsent);
  return isUntrusted(error) || isUnsent(cause);
}
