import { createRootRoute, createRoute, Outlet } from "@tanstack/react-router";
import { Brand } from "../ui/brand.tsx";
import { Page } from "../ui/page.tsx";
import { deskRoutes } from "../urls.ts";

const root = createRootRoute({ component: Outlet });

export const deskRouteTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: deskRoutes.front,
    component: () => (
      <main className="flex flex-col gap-8 p-8">
        <Brand suffix="desk" />
        <Page title="The desk" lead="Its pages are still to come.">
          {null}
        </Page>
      </main>
    ),
  }),
]);
