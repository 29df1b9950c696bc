import { createRoute, lazyRouteComponent, type AnyRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A page whose code is loaded when a visitor opens it or points at a link to it. */
export function lazyPage<Name extends string>(
  parent: AnyRoute,
  path: string,
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyRouteComponent(load, name),
  });
}
