import type { EventEmitter } from "node:events";

const stopSignals = ["SIGTERM", "SIGINT"] as const;

/** Ctrl-C arrives from the terminal, and again from npm and the launcher, which forward it. */
const sameSignalMs = 1_000;

/** Resolves with the first stop signal. A later second one kills the process. */
export function firstSignal(source: EventEmitter = process): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      resolve(signal);
      setTimeout(() => {
        for (const name of stopSignals) source.removeListener(name, stop);
      }, sameSignalMs).unref();
    };
    for (const name of stopSignals) source.on(name, stop);
  });
}
