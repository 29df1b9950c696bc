/** The text as part of a LIKE pattern with `escape '\'`. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}

/** A LIKE pattern for values that contain the text. */
export function containing(text: string): string {
  return `%${escapePattern(text)}%`;
}
