import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

const quietWaitMs = 1_000;

/**
 * Runs the work under an exclusive lock on the file. `flock` locks the descriptor that it inherits, so
 * the kernel releases the lock when this process and all others with that descriptor have ended.
 */
export async function withFileLock<Value>(
  file: string,
  onWait: () => void,
  work: (descriptor: number) => Promise<Value>,
): Promise<Value> {
  const handle = await open(file, "a");
  const waiting = new AbortController();
  const notice = delay(quietWaitMs, undefined, { signal: waiting.signal }).then(onWait, () => {});
  try {
    const locker = spawn("flock", ["3"], { stdio: ["ignore", "ignore", "inherit", handle.fd] });
    const [code] = (await once(locker, "close")) as [number | null];
    if (code !== 0) throw new Error(`flock could not lock ${file}.`);
    waiting.abort();
    return await work(handle.fd);
  } finally {
    waiting.abort();
    await notice;
    await handle.close();
  }
}
