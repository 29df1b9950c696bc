import { useEffect, useRef, type ReactNode } from "react";
import { brand } from "#data/brand.ts";
import { Breadcrumbs, type Crumb } from "./breadcrumbs.tsx";

/** A page with its document title and heading. The heading takes the focus, so that screen readers announce it. */
export function Page({
  title,
  windowTitle = title,
  lead,
  crumbs,
  actions,
  children,
}: {
  readonly title: string;
  /** The document title, where the heading alone says too little. */
  readonly windowTitle?: string;
  /** A line below the title. `false` keeps its place while the data loads. */
  readonly lead?: ReactNode;
  readonly crumbs?: readonly Crumb[];
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useWindowTitle(windowTitle);
  useEffect(() => {
    // On the first load the browser announces the page itself.
    if (document.activeElement === document.body || document.activeElement?.tagName === "A") {
      heading.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <div className="flex flex-col gap-6 lg:gap-8">
      {/* The heading keeps its place when the lead and the actions appear after loading. */}
      <header className="flex flex-col gap-1">
        {crumbs !== undefined && <Breadcrumbs crumbs={crumbs} />}
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="flex min-w-0 flex-col gap-1">
            <h1
              ref={heading}
              tabIndex={-1}
              className="min-h-11 content-center text-2xl font-semibold tracking-tight wrap-anywhere"
            >
              {title}
            </h1>
            {lead !== undefined && (
              <div className="min-h-6 max-w-prose text-pretty text-quiet">{lead}</div>
            )}
          </div>
          {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
      </header>
      {children}
    </div>
  );
}

export function useWindowTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${brand.name}`;
  }, [title]);
}
