import { ChevronRight } from "./icons.ts";
import { TextLink } from "./text-link.tsx";

export interface Crumb {
  readonly to: string;
  readonly label: string;
}

/** The pages above this one. `Page` shows them over its heading, which is the last of the trail. */
export function Breadcrumbs({ crumbs }: { readonly crumbs: readonly Crumb[] }) {
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
