import { Link } from "@tanstack/react-router";
import { CopyIconButton } from "./copy-button.tsx";

/** The end of an id stays visible, because ids of the same time begin alike. */
const endLength = 6;

/** An id, hash or key on one line with a copy button. Where space is short, its middle is cut. */
export function IdText({
  id,
  copies = id,
  what,
  to,
}: {
  readonly id: string;
  /** What the button copies instead of the id. */
  readonly copies?: string;
  /** Names what the button copies: "server id". */
  readonly what: string;
  /** Makes the id a link. */
  readonly to?: string;
}) {
  const text = (
    <code title={id} className="flex min-w-0 font-mono text-sm">
      {/* Cut between two characters: a part of one would leave a gap before the end. */}
      <span className="max-w-[round(down,100%-5.9ch,1ch)] truncate">{id.slice(0, -endLength)}</span>
      <span>{id.slice(-endLength)}</span>
    </code>
  );
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      {to === undefined ? (
        text
      ) : (
        <Link to={to} className="flex min-w-0 underline decoration-control underline-offset-4">
          {text}
        </Link>
      )}
      {/* The button is taller than the line, which stays as high as one without a button. */}
      <span className="-my-2 flex">
        <CopyIconButton text={copies} what={what} />
      </span>
    </span>
  );
}
