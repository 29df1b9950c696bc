import {
  createSessionClient,
  type ClientOptions,
  type SessionClient,
  type WireRequest,
} from "@ironlease/client";

/** The answers of the service in order. The last one repeats. */
export type Script = readonly (Response | Error | "silence")[];

export function answer(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

export function refusal(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Response {
  return answer(status, { error: { code, message: "No.", requestId: "req" } }, headers);
}

export interface Scripted {
  readonly client: SessionClient;
  /** Every request that the client sent. */
  readonly sent: readonly WireRequest[];
  /** The waits between attempts. They advance the fake clock and take no real time. */
  readonly waits: readonly number[];
  readonly advance: (ms: number) => void;
}

/** A client with a scripted service and a fake clock. */
export function scripted(script: Script, options: Partial<ClientOptions> = {}): Scripted {
  const sent: WireRequest[] = [];
  const waits: number[] = [];
  let now = 0;
  const client = createSessionClient({
    baseUrl: "https://rent.example",
    random: () => 0.5,
    clock: {
      now: () => now,
      wait: (ms, signal) =>
        new Promise((resolve, reject) => {
          // The timeout of an attempt. It fires only if the script says silence.
          const isTimeout = ms === (options.timeoutMs ?? 10_000);
          signal.addEventListener("abort", () => reject(new Error("ended")), { once: true });
          if (isTimeout && script[Math.min(sent.length, script.length - 1)] !== "silence") return;
          now += ms;
          if (!isTimeout) waits.push(ms);
          resolve();
        }),
    },
    fetch: (_, init) => {
      sent.push(init);
      const next = script[Math.min(sent.length, script.length) - 1];
      if (next === "silence") return new Promise(() => undefined);
      return next instanceof Response ? Promise.resolve(next.clone()) : Promise.reject(next!);
    },
    ...options,
  });
  return { client, sent, waits, advance: (ms) => (now += ms) };
}
