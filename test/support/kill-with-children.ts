import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const maxChecks = 6_000;
const checkPauseMs = 5;

/**
 * Sends SIGKILL to a process and its children. A signal to the process group would miss PostgreSQL's
 * children, which have their own sessions, so this finds them in /proc. Resolves when the children have
 * ended, because PostgreSQL does not start while one of them holds its shared memory.
 */
export async function killWithChildren(pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new Error("the process has not started");
  // Stop the process first, so that it cannot fork between the listing and the kill. SIGSTOP takes a moment.
  process.kill(pid, "SIGSTOP");
  await until(() => /[TZX]/.test(stateOf(pid)), "the process does not stop");
  const children = childrenOf(pid);
  for (const child of children) killIfThere(child);
  process.kill(pid, "SIGKILL");
  await until(
    () => children.every((child) => /[ZX]/.test(stateOf(child))),
    "a child of the killed process does not end",
  );
}

async function until(isTrue: () => boolean, failure: string): Promise<void> {
  for (let check = 0; !isTrue(); check += 1) {
    if (check === maxChecks) throw new Error(failure);
    await delay(checkPauseMs);
  }
}

/** T is stopped. Z and X have ended and released everything but the process id. */
function stateOf(pid: number): string {
  return statusOf(String(pid))?.[0] ?? "X";
}

function childrenOf(pid: number): readonly number[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.filter((name) => Number(statusOf(name)?.[1]) === pid).map(Number);
}

/** The state and the parent of a process; undefined if it has ended. */
function statusOf(name: string): readonly string[] | undefined {
  try {
    // The state and the parent follow the program name, which is in parentheses and may contain spaces.
    return readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)?.split(" ");
  } catch {
    return undefined;
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
