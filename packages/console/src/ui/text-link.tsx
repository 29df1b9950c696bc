import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

const base =
  "rounded-sm font-medium underline decoration-control decoration-1 underline-offset-4 hover:decoration-text";

/** An inline link. */
export function TextLink({
  to,
  search,
  hash,
  children,
  className,
}: {
  readonly to: string;
  readonly search?: Readonly<Record<string, unknown>>;
  /** The id of a part of the page. */
  readonly hash?: string;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  return (
    <Link
      to={to}
      search={search}
      {...(hash !== undefined && { hash })}
      className={classNames(base, className)}
    >
      {children}
    </Link>
  );
}

/** A link to another site, in a new tab. The site does not learn where the user came from. */
export function OutsideLink({
  href,
  children,
  className,
}: {
  readonly href: string;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      title="Opens in a new tab"
      className={classNames(base, className)}
    >
      {children}
    </a>
  );
}
