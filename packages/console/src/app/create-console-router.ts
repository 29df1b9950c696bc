import { createRouter, type AnyRoute, type AnyRouter } from "@tanstack/react-router";
import { NotFoundPage } from "./not-found-page.tsx";
import { PageFailure } from "./page-failure.tsx";

/** The same manners for both entries: pages are fetched when a link to them is pointed at. */
export function createConsoleRouter(routeTree: AnyRoute): AnyRouter {
  return createRouter({
    routeTree,
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: PageFailure,
    // What a page asks for in its address is plain text, so that addresses stay readable.
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
