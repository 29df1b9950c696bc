import { classNames } from "./class-names.ts";
import { qrPath } from "./qr-path.ts";

/** A QR code as one path. Dark on light in every theme, because scanners expect it. */
export function QrCode({
  text,
  label,
  isLarge = false,
}: {
  readonly text: string;
  readonly label: string;
  /** To scan from a distance, and for long texts, whose squares would be too small. */
  readonly isLarge?: boolean;
}) {
  const { path, size } = qrPath(text);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={classNames(
        "shrink-0 rounded-md border border-line",
        isLarge ? "size-64 sm:size-72" : "size-44",
      )}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
