import { createRoute, lazyRouteComponent, type AnyRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageNotLoaded } from "./page-failure.tsx";

/** A page whose code is loaded when a visitor opens it or points at a link to it. */
export function lazyPage<Name extends string>(
  parent: AnyRoute,
  path: string,
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
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
  });
}
