/** Shows a constant of the API as text: NOT_PERFORMED becomes "Not performed". */
export function sentenceCase(constant: string): string {
  const words = constant.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
