type Rgb = readonly [number, number, number];

const white: Rgb = [255, 255, 255];
/** The surface of the dark theme, `--color-surface` in the console. */
const darkSurface: Rgb = [0x1b, 0x19, 0x16];

/** WCAG AA for text, and for the parts of a control. */
const textContrast = 4.5;
const controlContrast = 3;

/** How readable white text is on a colour. WCAG AA asks for 4.5. */
export function contrastWithWhite(colour: string): number {
  return contrast(rgbOf(colour), white);
}

/**
 * The colour for each theme, or undefined if white text on it is not readable. In the dark theme, a colour that is too
 * dark to stand out is lightened.
 */
export function accentColours(
  colour: string,
): { readonly light: string; readonly dark: string } | undefined {
  if (contrastWithWhite(colour) < textContrast) return undefined;
  const given = rgbOf(colour);
  let dark = given;
  for (
    let share = 0;
    contrast(dark, darkSurface) < controlContrast && share < 1;
    share += 1 / 256
  ) {
    dark = given.map((part) => Math.round(part + (255 - part) * share)) as unknown as Rgb;
  }
  return { light: colour.toLowerCase(), dark: hexOf(dark) };
}

function rgbOf(colour: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as unknown as Rgb;
}

function hexOf(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** The contrast ratio of WCAG 2. */
function contrast(one: Rgb, other: Rgb): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
