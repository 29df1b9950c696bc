import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { RouterProvider, type AnyRouter } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { replaceInvalidLanguage } from "./language-tag.ts";
import { PageNotLoaded } from "./page-failure.tsx";

/** Starts an app. The content security policy forbids the style elements that Base UI would insert. */
export function mount(router: AnyRouter, queries: QueryClient): void {
  const element = document.getElementById("app");
  if (element === null) throw new Error("The page has no #app element.");
  replaceInvalidLanguage();
  createRoot(element, {
    onCaughtError: (error) => {
      // The page explains a lost connection, which is no bug to log.
      if (!(error instanceof PageNotLoaded)) console.error(error);
    },
  }).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
