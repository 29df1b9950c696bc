import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

const look =
  "rounded-sm font-medium text-accent underline decoration-1 underline-offset-4 hover:text-accent-strong";

/** A link in a sentence or a table. */
export function TextLink({
  to,
  search,
  children,
  className,
}: {
  readonly to: string;
  readonly search?: Readonly<Record<string, unknown>>;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  return (
    <Link to={to} search={search} className={classNames(look, className)}>
      {children}
    </Link>
  );
}
