import { globSync, readFileSync } from "node:fs";

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** Cut to 15 characters by the kernel. */
  readonly name: string;
}

/** All processes below the given one. */
export function descendantsOf(pid: number): readonly RunningProcess[] {
  const all = globSync("/proc/[0-9]*/stat").flatMap(readProcess);
  const found: RunningProcess[] = [];
  for (let parents = [pid]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children);
    parents = children.map((child) => child.pid);
  }
  return found;
}

function readProcess(file: string): readonly RunningProcess[] {
  try {
    const [, pid, name = "", parent] =
      /^(\d+) \((.*)\) [^ZX] (\d+) /s.exec(readFileSync(file, "utf8")) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), name, parent: Number(parent) }];
  } catch {
    return []; // It has ended.
  }
}

/** Sends a signal to those that still run. */
export function signalAll(processes: readonly RunningProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}
