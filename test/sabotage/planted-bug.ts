/** A replacement of one text in one file. */
export interface Edit {
  /** Path from the root of the repository. */
  readonly file: string;
  /** Must occur exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** A deliberate bug that the ordinary tests must catch. */
export interface PlantedBug extends Edit {
  readonly name: string;
  /** The plausible thought that could lead a developer to write the bug. */
  readonly thought: string;
  /** Further edits, when the first one alone has no effect. */
  readonly also?: readonly Edit[];
  /** The test files that should catch it. */
  readonly tests: readonly string[];
}

export function editsOf(bug: PlantedBug): readonly Edit[] {
  return [bug, ...(bug.also ?? [])];
}

/** Returns the file's text with the bug. Throws unless the text to replace occurs exactly once. */
export function withEdit(text: string, { file, find, replace }: Edit): string {
  const [before, after, ...rest] = text.split(find);
  if (before === undefined || after === undefined || rest.length > 0) {
    const count = text.split(find).length - 1;
    throw new Error(`${file} must contain this text once, but has it ${count} times: ${find}`);
  }
  return before + replace + after;
}
