import type { Style } from "@ironlease/command-line";
import { encode } from "uqr";

/** The empty frame that readers need around a code. */
const quiet = 2;
const blackOnWhite = "\u001b[30;107m";
const reset = "\u001b[0m";

/**
 * A text as a QR code, two rows of it in one line. With colours it is black on white wherever it is
 * shown; without, it is drawn in light, as most terminals are dark.
 */
export function qrCode(text: string, style: Style): string {
  const { data } = encode(text, { ecc: "M", border: quiet });
  const lines: string[] = [];
  for (let row = 0; row < data.length; row += 2) {
    const [upper = [], lower = []] = [data[row], data[row + 1]];
    const cells = upper.map((isDark, column) =>
      half(isDark === style.isOn, (lower[column] ?? false) === style.isOn),
    );
    const line = cells.join("");
    lines.push(style.isOn ? `${blackOnWhite}${line}${reset}` : line);
  }
  return lines.join("\n");
}

/** A character whose upper and lower half are drawn or left. */
function half(isUpper: boolean, isLower: boolean): string {
  if (isUpper) return isLower ? "█" : "▀";
  return isLower ? "▄" : " ";
}
