import { styleText } from "node:util";
import type { Screen } from "../../cli/src/io.ts";
import { lookUp } from "./own-entry.ts";

type Paint = (text: string) => string;

/** Colours, or nothing at all where colours are not wanted. */
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

/** Colours only on a terminal that has them, and not for those who have set NO_COLOR. */
export function styleFor(screen: Screen, env: Readonly<Record<string, string | undefined>>): Style {
  const isOn = screen.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  const paints = formats.map((format) => {
    const paint: Paint = isOn
      ? (text) => styleText(format, text, { validateStream: false })
      : (text) => text;
    return [format, paint];
  });
  return { isOn, ...(Object.fromEntries(paints) as Omit<Style, "isOn">) };
}

const stateColours: Readonly<Record<string, (typeof formats)[number]>> = {
  ACTIVE: "green",
  CREDITED: "green",
  PROVISIONING: "yellow",
  CONFIRMING: "yellow",
  GRACE: "yellow",
  QUEUED: "yellow",
  PENDING_REVIEW: "yellow",
  SUSPENDED: "red",
};

/** A state in its colour, the same everywhere. */
export function stateIn(style: Style, state: string): string {
  const colour = lookUp(stateColours, state);
  return colour === undefined ? state : style[colour](state);
}
