import { readdirSync, readFileSync } from "node:fs";

/**
 * Ends a process and its children so that none of them can do anything about it. PostgreSQL's are in
 * sessions of their own, so that no signal to a group reaches them; Linux says whose they are.
 */
export function killWithChildren(pid: number | undefined): void {
  if (pid === undefined) throw new Error("the process has not started");
  // It must not have another child between the look and the kill.
  process.kill(pid, "SIGSTOP");
  for (const child of childrenOf(pid)) killIfThere(child);
  process.kill(pid, "SIGKILL");
}

function childrenOf(pid: number): readonly number[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.filter((name) => parentOf(name) === pid).map(Number);
}

/** Undefined when it has ended meanwhile. */
function parentOf(name: string): number | undefined {
  try {
    // The name of the program, in parentheses, may hold blanks; its state and parent follow.
    const [, parent] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)!.split(" ");
    return Number(parent);
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
