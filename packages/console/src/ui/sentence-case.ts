/** Turns a message of the API, which follows a name or stands alone, into a sentence. */
export function sentenceOf(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Shows a constant of the API as text: NOT_PERFORMED becomes "Not performed". */
export function sentenceCase(constant: string): string {
  const words = constant.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
