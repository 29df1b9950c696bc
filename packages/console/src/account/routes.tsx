import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet } from "@tanstack/react-router";
import type { RouterContext } from "#app/create-console-router.ts";
import { lazyPage, prefetchOnEnter } from "#app/lazy-page.ts";
import { NotFoundPage } from "#app/not-found-page.tsx";
import { SessionGate } from "#app/session-gate.tsx";
import { accountRoutes } from "#app/urls.ts";
import { AccountShell } from "./account-shell.tsx";
import { SignInPage } from "./pages/sessions/sign-in-page.tsx";
import { pageRequest } from "./pages/servers/server-page-request.ts";
import { reads } from "./data/reads.ts";

const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: () => <NotFoundPage />,
});

/** Parent of every page that needs a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  loader: prefetchOnEnter((queries) => [queries.query(reads.account)]),
  component: () => (
    <SessionGate account={reads.account} signIn={(endedFor) => <SignInPage endedFor={endedFor} />}>
      <AccountShell>
        <Outlet />
      </AccountShell>
    </SessionGate>
  ),
});

const { overview, signIn, register, recover, order, reviewOrder, placedOrder } = accountRoutes;
const { messages, newMessage, thread, webhooks, webhook } = accountRoutes;
const { servers, server, network, billing, receipt, statements, withdraw } = accountRoutes;
const { deposit, depositAddress } = accountRoutes;
const { keys, security, secondFactor, activity } = accountRoutes;

function prefetchServers(queries: QueryClient, search: Readonly<Record<string, string>>) {
  const catalogue = queries.query(reads.catalogue);
  if (search["state"] === "TERMINATED") return [catalogue];
  const request = pageRequest((name) => search[name] ?? "");
  return [catalogue, queries.query(reads.serverPage(request))];
}

export const accountRouteTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: signIn,
    component: () => <SignInPage endedFor={undefined} />,
  }),
  lazyPage(root, register, () => import("./pages/accounts/register-page.tsx"), "RegisterPage"),
  lazyPage(root, recover, () => import("./pages/accounts/recover-page.tsx"), "RecoverPage"),
  signedIn.addChildren([
    lazyPage(
      signedIn,
      overview,
      () => import("./pages/overview/overview-page.tsx"),
      "OverviewPage",
    ),
    lazyPage(signedIn, order, () => import("./pages/orders/order-page.tsx"), "OrderPage"),
    lazyPage(signedIn, reviewOrder, () => import("./pages/orders/review-page.tsx"), "ReviewPage"),
    lazyPage(signedIn, placedOrder, () => import("./pages/orders/placed-page.tsx"), "PlacedPage"),
    lazyPage(
      signedIn,
      servers,
      () => import("./pages/servers/servers-page.tsx"),
      "ServersPage",
      prefetchServers,
    ),
    lazyPage(signedIn, server, () => import("./pages/servers/server-page.tsx"), "ServerPage"),
    lazyPage(signedIn, network, () => import("./pages/network/network-page.tsx"), "NetworkPage"),
    lazyPage(signedIn, billing, () => import("./pages/ledger/ledger-page.tsx"), "LedgerPage"),
    lazyPage(signedIn, receipt, () => import("./pages/ledger/receipt-page.tsx"), "ReceiptPage"),
    lazyPage(
      signedIn,
      statements,
      () => import("./pages/statements/statements-page.tsx"),
      "StatementsPage",
    ),
    lazyPage(signedIn, deposit, () => import("./pages/deposits/deposit-page.tsx"), "DepositPage"),
    lazyPage(
      signedIn,
      depositAddress,
      () => import("./pages/deposits/checkout-page.tsx"),
      "CheckoutPage",
    ),
    lazyPage(
      signedIn,
      withdraw,
      () => import("./pages/withdrawals/withdraw-page.tsx"),
      "WithdrawPage",
    ),
    lazyPage(signedIn, messages, () => import("./pages/threads/threads-page.tsx"), "ThreadsPage"),
    lazyPage(
      signedIn,
      newMessage,
      () => import("./pages/threads/new-thread-page.tsx"),
      "NewThreadPage",
    ),
    lazyPage(signedIn, thread, () => import("./pages/threads/thread-page.tsx"), "ThreadPage"),
    lazyPage(
      signedIn,
      webhooks,
      () => import("./pages/webhooks/webhooks-page.tsx"),
      "WebhooksPage",
    ),
    lazyPage(signedIn, webhook, () => import("./pages/webhooks/webhook-page.tsx"), "WebhookPage"),
    lazyPage(signedIn, keys, () => import("./pages/keys-page.tsx"), "KeysPage"),
    lazyPage(signedIn, security, () => import("./pages/security-page.tsx"), "SecurityPage"),
    lazyPage(
      signedIn,
      secondFactor,
      () => import("./pages/accounts/second-factor-page.tsx"),
      "SecondFactorPage",
    ),
    lazyPage(
      signedIn,
      activity,
      () => import("./pages/activity/activity-page.tsx"),
      "ActivityPage",
    ),
  ]),
]);
