import { ChevronRight } from "./icons.ts";
import { useEffect, useRef, type ReactNode } from "react";
import { TextLink } from "./text-link.tsx";

export interface Crumb {
  readonly to: string;
  readonly label: string;
}

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
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="flex min-w-0 flex-col gap-1.5">
          {crumbs !== undefined && <Crumbs crumbs={crumbs} />}
          <h1
            ref={heading}
            tabIndex={-1}
            className="text-2xl font-semibold tracking-tight break-words"
          >
            {title}
          </h1>
          {lead !== undefined && lead !== false && (
            <div className="max-w-prose text-quiet">{lead}</div>
          )}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function useWindowTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Ironlease`;
  }, [title]);
}

function Crumbs({ crumbs }: { readonly crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumbs">
      <ol className="flex flex-wrap items-center gap-1 text-sm">
        {crumbs.map(({ to, label }) => (
          <li key={to} className="flex items-center gap-1">
            <TextLink to={to}>{label}</TextLink>
            <ChevronRight aria-hidden className="size-4 text-quiet" />
          </li>
        ))}
      </ol>
    </nav>
  );
}
