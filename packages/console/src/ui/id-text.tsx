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
      {/* Cut between two characters: a part of one, or too little room by a fraction of a pixel, would leave a gap. */}
      <span className="max-w-[calc(round(down,100%-5.9ch,1ch)+0.1ch)] shrink-0 truncate">
        {id.slice(0, -endLength)}
      </span>
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
      {/* The button is larger than its icon. The line stays as high as one without it, and ends with the icon. */}
      <span className="-my-2 -mr-2.5 -ml-1.5 flex">
        <CopyIconButton text={copies} what={what} />
      </span>
    </span>
  );
}
