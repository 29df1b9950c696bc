/** Texts of about `length` characters: each repeated part, between each beginning and each end. */
export interface Shapes {
  readonly starts?: readonly string[];
  readonly repeated: readonly string[];
  readonly ends?: readonly string[];
}

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
