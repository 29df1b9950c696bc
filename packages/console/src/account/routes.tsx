import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  type AnyRoute,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { SessionGate } from "#app/session-gate.tsx";
import { accountRoutes } from "#app/urls.ts";
import { AccountShell } from "./shell/account-shell.tsx";
import { SignInPage } from "./pages/sessions/sign-in-page.tsx";
import { reads } from "./data/reads.ts";

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

/** A page whose code is fetched when it is first gone to, or pointed at. */
function page<Name extends string>(
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

const { overview, signIn, register, recover, order, reviewOrder, placedOrder } = accountRoutes;
const { servers, server, network, billing, deposit, withdraw, keys, security } = accountRoutes;

export const accountRouteTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: signIn,
    component: () => <SignInPage endedFor={undefined} />,
  }),
  page(root, register, () => import("./pages/accounts/register-page.tsx"), "RegisterPage"),
  page(root, recover, () => import("./pages/accounts/recover-page.tsx"), "RecoverPage"),
  signedIn.addChildren([
    page(signedIn, overview, () => import("./pages/overview/overview-page.tsx"), "OverviewPage"),
    page(signedIn, order, () => import("./pages/orders/order-page.tsx"), "OrderPage"),
    page(signedIn, reviewOrder, () => import("./pages/orders/review-page.tsx"), "ReviewPage"),
    page(signedIn, placedOrder, () => import("./pages/orders/placed-page.tsx"), "PlacedPage"),
    page(signedIn, servers, () => import("./pages/servers/servers-page.tsx"), "ServersPage"),
    page(signedIn, server, () => import("./pages/servers/server-page.tsx"), "ServerPage"),
    page(signedIn, network, () => import("./pages/network/network-page.tsx"), "NetworkPage"),
    page(signedIn, billing, () => import("./pages/ledger/ledger-page.tsx"), "LedgerPage"),
    page(signedIn, deposit, () => import("./pages/deposits/deposit-page.tsx"), "DepositPage"),
    page(signedIn, withdraw, () => import("./pages/withdrawals/withdraw-page.tsx"), "WithdrawPage"),
    page(signedIn, keys, () => import("./pages/keys-page.tsx"), "KeysPage"),
    page(signedIn, security, () => import("./pages/security-page.tsx"), "SecurityPage"),
  ]),
]);
