import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { RouterProvider, type AnyRouter } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

/** Starts an entry. Styles of the parts are in our own sheet: the page's policy allows no others. */
export function mount(router: AnyRouter, queries: QueryClient): void {
  const element = document.getElementById("app");
  if (element === null) throw new Error("the page has no place for the app");
  createRoot(element).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
