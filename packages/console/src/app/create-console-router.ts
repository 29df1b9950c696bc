import type { QueryClient } from "@tanstack/react-query";
import { createRouter, type AnyRoute, type AnyRouter } from "@tanstack/react-router";
import { PageFailure } from "./page-failure.tsx";

/** What the loaders of routes get. */
export interface RouterContext {
  readonly queries: QueryClient;
}

/** Both apps preload a page's code when the pointer rests on a link to it. */
export function createConsoleRouter(routeTree: AnyRoute, queries: QueryClient): AnyRouter {
  return createRouter({
    routeTree,
    context: { queries } satisfies RouterContext,
    defaultPreload: "intent",
    scrollRestoration: true,
    // An unknown URL needs no session.
    notFoundMode: "root",
    defaultErrorComponent: PageFailure,
    // Plain query strings instead of the router's JSON keep URLs readable.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const fields = Object.entries(search as Record<string, unknown>).filter(
        ([, value]) => value !== undefined && value !== "",
      );
      const text = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]));
      return text.size === 0 ? "" : `?${text.toString()}`;
    },
  });
}
