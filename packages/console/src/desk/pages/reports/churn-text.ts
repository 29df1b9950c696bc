import { percentText } from "#ui/percent-text.ts";

/** With one decimal. A dash for no value. */
export function churnText(percent: number | null): string {
  return percent === null ? "–" : percentText(percent.toFixed(1));
}
