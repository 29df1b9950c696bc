import type { ReactNode } from "react";
import { Search } from "./icons.ts";
import { Panel } from "./panel.tsx";
import { EmptyState } from "./states.tsx";

/** The content of a page whose id the service does not know. */
export function MissingPanel({
  what,
  action,
  children,
}: {
  readonly what: string;
  readonly action?: ReactNode;
  /** What to do instead. */
  readonly children: ReactNode;
}) {
  return (
    <div role="status">
      <Panel>
        <EmptyState
          icon={<Search className="size-6" />}
          title={`${what} not found`}
          action={action}
        >
          {children}
        </EmptyState>
      </Panel>
    </div>
  );
}
