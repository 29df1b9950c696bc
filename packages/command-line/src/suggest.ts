/** The words with the smallest edit distance to the typed word, if any is close. */
export function nearest(typed: string, words: readonly string[]): readonly string[] {
  const bound = Math.max(1, Math.floor(typed.length / 3));
  const near = words
    .map((word) => ({ word, distance: distanceBetween(typed, word) }))
    .filter(({ distance }) => distance <= bound);
  const least = Math.min(...near.map(({ distance }) => distance));
  return near.filter(({ distance }) => distance === least).map(({ word }) => word);
}

export function didYouMean(near: readonly string[]): readonly string[] {
  return near.length === 0 ? [] : [`Did you mean ${near.join(" or ")}?`];
}

/** Damerau–Levenshtein distance. */
function distanceBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next[column] = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, next];
  }
  return at(last, other.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
