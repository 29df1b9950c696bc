/** One piece of text of one file, and what a bug makes of it. */
export interface Edit {
  /** From the root of the repository. */
  readonly file: string;
  /** Occurs exactly once in the file, so that nobody can mistake the place. */
  readonly find: string;
  readonly replace: string;
}

/** A bug that is made on purpose, to see which test of the ordinary suite notices. */
export interface PlantedBug extends Edit {
  readonly name: string;
  /** What somebody in a hurry may have thought. */
  readonly thought: string;
  /** Where the same thought leads to as well, when one place alone has no effect. */
  readonly also?: readonly Edit[];
  /** The files of the suite that should notice. */
  readonly tests: readonly string[];
}

export function editsOf(bug: PlantedBug): readonly Edit[] {
  return [bug, ...(bug.also ?? [])];
}

/** The file's text with the bug in it. Throws when the text has moved on and the bug has not. */
export function withEdit(text: string, { file, find, replace }: Edit): string {
  const [before, after, ...more] = text.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    const count = text.split(find).length - 1;
    throw new Error(`${file} has ${count} times instead of once: ${find}`);
  }
  return before + replace + after;
}
