import type { Style } from "@ironlease/command-line";
import { encode } from "uqr";

/** The quiet zone that readers need. */
const quiet = 2;
const blackOnWhite = "\u001b[30;107m";
const reset = "\u001b[0m";

/**
 * A QR code, two rows per line. With colours it is black on white. Without, it is drawn in the foreground
 * colour, because most terminals are dark.
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

/** A block character for two pixels. */
function half(isUpper: boolean, isLower: boolean): string {
  if (isUpper) return isLower ? "█" : "▀";
  return isLower ? "▄" : " ";
}
