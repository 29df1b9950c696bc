import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";

/** A program in a scratch folder. Both are gone when this process is, however it ends. */
export interface SupervisedProcess {
  readonly pid: number | undefined;
  isRunning(): boolean;
  /** Kills the program and removes the folder. Resolves to the last lines that it printed. */
  remove(): Promise<string>;
  /** Ends the program with a signal. The folder stays for another run. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Lets this process end while the program runs. */
  unref(): void;
}

export interface SupervisedProgram {
  readonly folder: string;
  readonly program: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The user of the program, if it is not that of this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
}

// The shell becomes the program, and leaves a watchdog behind that reads from our pipe. The kernel
// closes the pipe when this process ends. `remove` closes it too, so every run tests the watchdog.
// - It is forked twice because the program must not find a child that it did not start.
// - It stays in the program's process group, so the kernel does not reuse the process id.
// - A line on the pipe dismisses it: then the folder outlives the program.
const script = `
exec 3<&0 0</dev/null 2>&1
( (
  trap "" HUP INT TERM
  if read -r _ <&3; then exit; fi
  kill -s KILL "$$" 2>/dev/null
  tail -n 20 output.log
  for _ in 1 2 3 4 5 6 7 8 9; do rm -rf "$PWD" 2>/dev/null && exit; sleep 1; done
  rm -rf "$PWD"
) & )
exec 3<&- >output.log 2>&1
exec "$@"
`;

export function superviseProcess(options: SupervisedProgram): SupervisedProcess {
  const { folder, program, arguments: parameters, environment, user } = options;
  const child = spawn("/bin/sh", ["-c", script, "sh", program, ...parameters], {
    ...user,
    cwd: folder,
    // Ctrl-C on a terminal must reach this process only.
    detached: true,
    env: { PATH: process.env["PATH"], HOME: folder, LC_ALL: "C", TZ: "UTC", ...environment },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const closed = once(child, "close");
  const dismissed = once(child.stdout, "end");
  // The watchdog may have ended when a line is written to it.
  child.stdin.on("error", () => {});
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  return {
    pid: child.pid,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    remove: async () => {
      setReferenced(child, true);
      child.stdin.end();
      await closed;
      return output;
    },
    end: async (signal) => {
      setReferenced(child, true);
      child.stdin.write("keep the folder\n");
      await dismissed;
      child.kill(signal);
      await closed;
    },
    unref: () => setReferenced(child, false),
  };
}

function setReferenced(child: ChildProcess, referenced: boolean): void {
  for (const handle of [child, child.stdin as Socket, child.stdout as Socket]) {
    if (referenced) handle.ref();
    else handle.unref();
  }
}
