import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  type AnyRoute,
} from "@tanstack/react-router";
import { SessionGate } from "../app/session-gate.tsx";
import { accountRoutes } from "../urls.ts";
import { AccountShell } from "./shell/account-shell.tsx";
import { SignInPage } from "./pages/access/sign-in-page.tsx";
import { reads } from "./reads.ts";

const root = createRootRoute({ component: Outlet });

/** Everything that needs a sign-in, inside the frame with the navigation. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  component: () => (
    <SessionGate account={reads.account} signIn={(endedFor) => <SignInPage endedFor={endedFor} />}>
      <AccountShell>
        <Outlet />
      </AccountShell>
    </SessionGate>
  ),
});

function page<Name extends string>(
  parent: AnyRoute,
  path: string,
  load: () => Promise<Record<Name, () => React.ReactNode>>,
  name: Name,
): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyRouteComponent(load, name),
  });
}

export const accountRouteTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: accountRoutes.signIn,
    component: () => <SignInPage endedFor={undefined} />,
  }),
  signedIn.addChildren([
    page(
      signedIn,
      accountRoutes.servers,
      () => import("./pages/servers/servers-page.tsx"),
      "ServersPage",
    ),
  ]),
]);
