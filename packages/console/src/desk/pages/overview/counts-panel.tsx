import type { ReactNode } from "react";
import { Panel } from "#ui/panel.tsx";

/** Counts by state, with their share of the total. */
export function CountsPanel({
  title,
  counts,
}: {
  readonly title: string;
  readonly counts: readonly {
    readonly key: string;
    readonly label: ReactNode;
    readonly count: number;
  }[];
}) {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <Panel
      title={title}
      actions={<span className="figures text-sm leading-9 text-quiet">{all} total</span>}
    >
      <ul className="flex flex-col gap-3">
        {counts.map(({ key, label, count }) => (
          <li
            key={key}
            className="grid grid-cols-[8rem_minmax(0,1fr)_3.5rem] items-center gap-3 text-sm"
          >
            <span>{label}</span>
            <progress
              className="bar [--bar-colour:var(--color-data)]"
              aria-label={`${key}: ${count} of ${all}`}
              value={count}
              max={Math.max(1, all)}
            />
            <span className="figures text-end font-medium">{count}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
