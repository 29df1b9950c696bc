import { percentText } from "#ui/percent-text.ts";

/** The change between two prices: "(+50 %)". Empty without an earlier price. */
export function changeText(before: string | null, after: string): string {
  const [from, to] = [Number(before), Number(after)];
  if (!(from > 0)) return "";
  const percent = Math.round((to / from - 1) * 1_000) / 10;
  const sign = percent < 0 ? "−" : "+";
  return `(${sign}${percentText(Math.abs(percent))})`;
}
