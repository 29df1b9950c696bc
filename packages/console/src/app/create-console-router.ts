import { createRouter, type AnyRoute, type AnyRouter } from "@tanstack/react-router";
import { NotFoundPage } from "./not-found-page.tsx";
import { PageFailure } from "./page-failure.tsx";

/** Both apps preload a page when the pointer rests on a link to it. */
export function createConsoleRouter(routeTree: AnyRoute): AnyRouter {
  return createRouter({
    routeTree,
    defaultPreload: "intent",
    scrollRestoration: true,
    // An unknown URL needs no session.
    notFoundMode: "root",
    defaultNotFoundComponent: NotFoundPage,
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
