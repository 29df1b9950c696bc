import { Link } from "@tanstack/react-router";
import { classNames } from "#ui/class-names.ts";
import type { Server } from "#ui/icons.ts";

export interface NavigationItem {
  readonly to: string;
  readonly label: string;
  readonly Icon: typeof Server;
  /** How many open items the page lists; shown beside the label. */
  readonly openCount?: number;
  /** What is counted, for screen readers; "open" by default. */
  readonly countedAs?: string;
}

export type Density = "comfortable" | "compact";

/** `onGo` lets a menu close itself. */
export function Navigation({
  items,
  density,
  onGo,
}: {
  readonly items: readonly NavigationItem[];
  readonly density: Density;
  readonly onGo?: (() => void) | undefined;
}) {
  return (
    <nav aria-label="Main">
      <ul className="flex flex-col gap-0.5">
        {items.map(({ to, label, Icon, openCount = 0, countedAs = "open" }) => (
          <li key={to}>
            <Link
              to={to}
              onClick={onGo}
              activeOptions={{ exact: to === "/", includeSearch: false }}
              className={classNames(
                "flex items-center gap-3 rounded-md px-3 text-sm font-medium text-quiet hover:bg-raised hover:text-text aria-[current=page]:bg-raised aria-[current=page]:text-text",
                density === "compact" ? "min-h-10 lg:min-h-8" : "min-h-10",
              )}
            >
              <Icon aria-hidden className="size-4.5" />
              {label}
              {openCount > 0 && (
                <span className="figures ml-auto text-xs">
                  {openCount}
                  <span className="sr-only"> {countedAs}</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
