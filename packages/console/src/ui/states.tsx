import type { UseQueryResult } from "@tanstack/react-query";
import { isSessionEnd } from "#data/api-errors.ts";
import { RotateCw } from "./icons.ts";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { ErrorNotice } from "./error-notice.tsx";

/** A place-holder for something that is on its way; its shape is that of what will come. */
export function Skeleton({ className }: { readonly className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames("block animate-pulse rounded-sm bg-raised", className ?? "h-4 w-full")}
    />
  );
}

function SkeletonRows({ count = 4 }: { readonly count?: number }) {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4 p-5 sm:p-6">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="flex items-center gap-6">
          <Skeleton className="h-4 w-1/4" />
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="ml-auto h-4 w-1/6" />
        </div>
      ))}
    </div>
  );
}

/** Nothing here, why that is so, and what to do about it. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      {icon !== undefined && (
        <span
          aria-hidden
          className="flex size-12 items-center justify-center rounded-full bg-raised text-quiet"
        >
          {icon}
        </span>
      )}
      <p className="font-medium">{title}</p>
      {children !== undefined && <p className="max-w-sm text-sm text-quiet">{children}</p>}
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  );
}

/**
 * What was read, or the state of reading it. What was read before stays on the screen when reading it
 * again fails, with a word that it may be old.
 */
export function Loaded<Data>({
  query,
  loading,
  isPadded = true,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  readonly loading?: ReactNode;
  /** Whether an error needs room around it. */
  readonly isPadded?: boolean;
  readonly children: (data: Data) => ReactNode;
}) {
  const { data, error, isFetching, refetch } = query;
  // A session that has ended is shown by the sign-in; after it everything is read again.
  const failure = error !== null && !isSessionEnd(error) && (
    <div className={isPadded ? "p-5 sm:p-6" : undefined}>
      <ErrorNotice
        error={error}
        actions={
          <Button
            size="small"
            isPending={isFetching}
            icon={<RotateCw aria-hidden className="size-4" />}
            onClick={() => void refetch()}
          >
            Try again
          </Button>
        }
      />
      {data !== undefined && (
        <p className="mt-2 text-sm text-quiet">What you see below was read earlier.</p>
      )}
    </div>
  );
  if (data === undefined) return failure === false ? (loading ?? <SkeletonRows />) : failure;
  return (
    <>
      {failure}
      {children(data)}
    </>
  );
}
