/** With one decimal. A dash for no value. */
export function percentText(percent: number | null): string {
  return percent === null ? "–" : `${percent.toFixed(1)} %`;
}
