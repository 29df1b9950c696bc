import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Skeleton } from "./states.tsx";

/** A row of key figures. */
export function Stats({ children }: { readonly children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))] gap-3 sm:gap-4">
      {children}
    </dl>
  );
}

/** One key figure: beside its name on a phone, below it elsewhere. */
export function StatTile({
  name,
  note,
  children,
}: {
  readonly name: string;
  /** A line below the figure. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-1 rounded-lg border border-line bg-surface p-5 shadow-panel max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:items-baseline max-sm:gap-x-4 max-sm:py-3">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="flex min-w-0 flex-col gap-1 max-sm:contents">
        <span className="figures text-2xl font-semibold tracking-tight wrap-anywhere max-sm:text-xl">
          {children}
        </span>
        {note !== undefined && <span className="text-sm text-quiet max-sm:col-span-2">{note}</span>}
      </dd>
    </div>
  );
}

type StatQuery<Data> = Pick<UseQueryResult<Data>, "data" | "isError" | "isFetching" | "refetch">;

/**
 * A key figure with its own loading and error state, so that one failed read leaves the others.
 *
 * @public
 */
export function Stat<Data>({
  name,
  query,
  note,
  children,
}: {
  readonly name: string;
  readonly query: StatQuery<Data>;
  readonly note?: (data: Data) => ReactNode;
  readonly children: (data: Data) => ReactNode;
}) {
  const { data, isError } = query;
  if (data === undefined) {
    return (
      <StatTile name={name}>
        {isError ? <Retry name={name} query={query} /> : <Skeleton className="my-1 h-6 w-28" />}
      </StatTile>
    );
  }
  return (
    <StatTile name={name} note={isError ? "May be out of date" : note?.(data)}>
      {children(data)}
    </StatTile>
  );
}

function Retry<Data>({
  name,
  query: { isFetching, refetch },
}: {
  readonly name: string;
  readonly query: StatQuery<Data>;
}) {
  return (
    <span role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm font-normal">
      <span className="font-medium text-bad">Could not load</span>
      <Button
        size="small"
        isPending={isFetching}
        aria-label={`Try again: ${name}`}
        onClick={() => void refetch()}
      >
        Try again
      </Button>
    </span>
  );
}
