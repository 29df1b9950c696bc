import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const maxChecks = 6_000;
const checkPauseMs = 5;

/**
 * Ends a process and its children so that none of them can do anything about it. PostgreSQL's are in
 * sessions of their own, so that no signal to a group reaches them; Linux says whose they are. Resolves when
 * the children have ended: on a busy machine that takes a moment, and PostgreSQL does not start while one of
 * them still has its shared memory.
 */
export async function killWithChildren(pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new Error("the process has not started");
  // It must not have another child between the look and the kill, and it may run on for a moment.
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

async function until(isSo: () => boolean, otherwise: string): Promise<void> {
  for (let check = 0; !isSo(); check += 1) {
    if (check === maxChecks) throw new Error(otherwise);
    await delay(checkPauseMs);
  }
}

/** T for stopped; Z and X have ended, and given back everything but their number. */
function stateOf(pid: number): string {
  return statusOf(String(pid))?.[0] ?? "X";
}

function childrenOf(pid: number): readonly number[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.filter((name) => Number(statusOf(name)?.[1]) === pid).map(Number);
}

/** The state and the parent of a process; undefined when it has ended meanwhile. */
function statusOf(name: string): readonly string[] | undefined {
  try {
    // The name of the program, in parentheses, may hold blanks; its state and parent follow.
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
