import type { UseQueryResult } from "@tanstack/react-query";
import { apiErrorOf, isSessionError } from "#data/api-errors.ts";
import { RotateCw } from "./icons.ts";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { ErrorNotice } from "./error-notice.tsx";

/** A placeholder in the shape of the content that is loading. */
export function Skeleton({ className }: { readonly className?: string }) {
  return (
    <span
      aria-hidden
      data-skeleton
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

/** What is empty, why, and what to do next. */
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
    <div
      className={classNames(
        "flex flex-col items-center gap-3 px-6 text-center",
        icon === undefined ? "py-8" : "py-12",
      )}
    >
      {icon !== undefined && (
        <span
          aria-hidden
          className="flex size-12 items-center justify-center rounded-full bg-raised text-quiet"
        >
          {icon}
        </span>
      )}
      <p className="font-medium">{title}</p>
      {children !== undefined && (
        <p className="max-w-sm text-sm text-pretty text-quiet">{children}</p>
      )}
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  );
}

/** A query's data, or its loading or error state. When a refetch fails, the old data stays, marked as stale. */
export function Loaded<Data>({
  query,
  loading,
  isPadded = true,
  missing,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  readonly loading?: ReactNode;
  /** Whether the error notice needs padding in a panel. */
  readonly isPadded?: boolean;
  /** Shown instead of the error if the service does not find what is asked for. */
  readonly missing?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}) {
  const { data, error, isFetching, refetch } = query;
  if (missing !== undefined && data === undefined && apiErrorOf(error)?.code === "not_found") {
    return missing;
  }
  // The session gate handles an ended session and refetches everything after sign-in.
  const failure = error !== null && !isSessionError(error) && (
    <div className={isPadded ? "in-[section]:p-5 sm:in-[section]:p-6" : undefined}>
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
        <p className="mt-2 text-sm text-quiet">The data below may be out of date.</p>
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
