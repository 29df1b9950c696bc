/** Describes texts: each start, a repeated part, and each end. */
export interface Shapes {
  readonly starts?: readonly string[];
  readonly repeated: readonly string[];
  readonly ends?: readonly string[];
}

/** Returns every combination, with the repeated part filling at least `length` characters. */
export function textsOf(
  { starts = [], repeated, ends = [] }: Shapes,
  length: number,
): readonly string[] {
  return ["", ...starts].flatMap((start) =>
    repeated.flatMap((part) => {
      const middle = part.repeat(Math.ceil(length / part.length));
      return ["", "!", ...ends].map((end) => start + middle + end);
    }),
  );
}
