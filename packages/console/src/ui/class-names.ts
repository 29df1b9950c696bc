/** Joins class names and skips falsy ones: `classNames("a", isB && "b")`. */
export function classNames(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => name !== false && name !== undefined && name !== "").join(" ");
}
