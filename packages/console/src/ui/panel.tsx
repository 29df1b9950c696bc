import { useId, type ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** A section of a page with its own heading. */
export function Panel({
  title,
  description,
  actions,
  children,
  className,
  isFlush = false,
}: {
  readonly title?: ReactNode;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  /** Removes the padding, for tables. */
  readonly isFlush?: boolean;
}) {
  const id = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={classNames(
        "flex min-w-0 flex-col overflow-clip rounded-lg border border-line bg-surface shadow-panel",
        className,
      )}
    >
      {title !== undefined && (
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 pt-5 pb-4 sm:px-6">
          {/* A long description wraps beside small actions. */}
          <div
            className={classNames(
              "flex min-w-0 grow flex-col gap-1",
              description !== undefined && "basis-44",
            )}
          >
            <h2 id={id} className="text-lg font-semibold tracking-tight">
              {title}
            </h2>
            {description !== undefined && (
              <p className="max-w-prose text-sm text-quiet">{description}</p>
            )}
          </div>
          {/* As tall as a small button, which is taller than the title, and in line with it. */}
          {actions !== undefined && (
            <div className="-my-1 flex min-h-9 flex-wrap items-center gap-2">{actions}</div>
          )}
        </header>
      )}
      <div
        className={classNames(
          "min-w-0 grow",
          !isFlush && (title === undefined ? "p-5 sm:p-6" : "px-5 pb-5 sm:px-6 sm:pb-6"),
        )}
      >
        {children}
      </div>
    </section>
  );
}
