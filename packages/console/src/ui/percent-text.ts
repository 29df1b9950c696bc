/** "20 %", with a space that does not break, so that the sign stays beside the number. */
export function percentText(percent: number | string): string {
  return `${percent}\u00a0%`;
}
