/** Something to write on; a terminal says so itself. */
export interface Screen {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** How wide a terminal is. */
  readonly columns?: number | undefined;
}

/** Something to read from. */
export type Input = NodeJS.ReadableStream & {
  readonly isTTY?: boolean | undefined;
  /** On a terminal: hands over every key as it is pressed, and shows none. */
  setRawMode?(isOn: boolean): unknown;
};

/** All that the program has around it, so that tests can hand in their own. */
export interface Io {
  readonly stdin: Input;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Why standard output cannot be written to, as a system's code, as far as that can be known. */
  outputTrouble(): string | undefined;
  /** Resolves when all that was written to standard output has left; rejects when it cannot. */
  flush(): Promise<void>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborted when somebody wants the program to stop. */
  readonly signal: AbortSignal;
  /** Resolves after that long, or rejects with the signal's reason when that comes first. */
  wait(ms: number): Promise<void>;
}
