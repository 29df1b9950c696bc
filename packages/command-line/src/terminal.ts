/** A stream to write to. */
export interface Screen {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width of a terminal. */
  readonly columns?: number | undefined;
}

/** A stream to read from. */
export type Input = NodeJS.ReadableStream & {
  readonly isTTY?: boolean | undefined;
  /** On a terminal: delivers each key as it is pressed, without echo. */
  setRawMode?(isOn: boolean): unknown;
};
