import type { Input, Screen } from "@ironlease/command-line";

/** The program's surroundings. Tests replace them. */
export interface Io {
  readonly stdin: Input;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** The system's error code if standard output is known to be unwritable. */
  outputTrouble(): string | undefined;
  /** Resolves when standard output is flushed. */
  flush(): Promise<void>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Runs a program on the same terminal. Resolves with its exit code. */
  start(program: string, args: readonly string[]): Promise<number>;
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Resolves after that time, or rejects when the signal is aborted first. */
  wait(ms: number): Promise<void>;
}
