import type { QueryClient } from "@tanstack/react-query";
import { createRoute, lazyRouteComponent, type AnyRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { RouterContext } from "./create-console-router.ts";
import { PageNotLoaded } from "./page-failure.tsx";

/** Starts the reads of a page, given the search of its URL. */
type Prefetch = (
  queries: QueryClient,
  search: Readonly<Record<string, string>>,
) => readonly Promise<unknown>[];

interface LoaderContext {
  readonly context: RouterContext;
  readonly location: { readonly search: object };
  readonly cause: "preload" | "enter" | "stay";
}

/** The reads run while the code loads and the session is checked. Nothing waits for them: the page shows their state. */
export function prefetchOnEnter(prefetch: Prefetch) {
  return ({ context, location, cause }: LoaderContext): void => {
    if (cause !== "enter") return;
    const search = location.search as Readonly<Record<string, string>>;
    for (const read of prefetch(context.queries, search)) read.catch(() => undefined);
  };
}

/** A page whose code is loaded when a visitor opens it or points at a link to it. */
export function lazyPage<Name extends string>(
  parent: AnyRoute,
  path: string,
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
  prefetch?: Prefetch,
): AnyRoute {
  // The router reloads the document when code is missing, which offline ends in the browser's own error page.
  const loadOrExplain = () =>
    load().catch((error: unknown) => {
      throw new PageNotLoaded(error);
    });
  return createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyRouteComponent(loadOrExplain, name),
    ...(prefetch !== undefined && { loader: prefetchOnEnter(prefetch) }),
  });
}
