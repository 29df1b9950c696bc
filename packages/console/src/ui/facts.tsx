import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** A list of names and values. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-[repeat(auto-fill,minmax(min(100%,11rem),1fr))]">
      {children}
    </dl>
  );
}

export function Fact({
  name,
  children,
  isWide = false,
  isLong = false,
}: {
  readonly name: string;
  readonly children: ReactNode;
  /** Takes a whole row, for long values. */
  readonly isWide?: boolean;
  /** Takes a whole row on phones. */
  readonly isLong?: boolean;
}) {
  return (
    <div
      className={classNames(
        "flex min-w-0 flex-col gap-0.5",
        isWide && "col-span-full",
        isLong && "max-sm:col-span-full",
      )}
    >
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="text-sm font-medium break-words">{children}</dd>
    </div>
  );
}
