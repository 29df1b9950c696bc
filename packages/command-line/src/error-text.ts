import { cleanText } from "./clean-text.ts";
import type { Style } from "./style.ts";

/** An error for people: what is wrong, then what to do. Highlights commands to copy. */
export function errorText(
  message: string,
  details: readonly string[],
  advice: readonly string[],
  style: Style,
): string {
  const lines = message.split("\n").map(cleanText);
  return [
    `${style.red("error:")} ${lines.join("\n")}`,
    ...details,
    ...advice.map((line) => `  ${adviceLine(cleanText(line), style)}`),
  ].join("\n");
}

function adviceLine(line: string, style: Style): string {
  return /^ironleased? /.test(line) ? `  ${style.cyan(line)}` : line;
}
