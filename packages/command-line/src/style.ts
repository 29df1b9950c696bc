import { styleText } from "node:util";
import type { Screen } from "./terminal.ts";

type Paint = (text: string) => string;

/** Colours for a terminal, or functions that return the text unchanged. */
export interface Style {
  readonly isOn: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

const formats = ["bold", "dim", "red", "green", "yellow", "cyan"] as const;

/** Colours are on only on a terminal that supports them, and never with NO_COLOR. */
export function styleFor(
  screen: Pick<Screen, "isTTY">,
  env: Readonly<Record<string, string | undefined>>,
): Style {
  const isOn = screen.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  const paints = formats.map((format) => {
    const paint: Paint = isOn
      ? (text) => styleText(format, text, { validateStream: false })
      : (text) => text;
    return [format, paint];
  });
  return { isOn, ...(Object.fromEntries(paints) as Omit<Style, "isOn">) };
}
