import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  type AnyRoute,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { SessionGate } from "#app/session-gate.tsx";
import { deskRoutes } from "#app/urls.ts";
import { SecondFactorGate } from "./pages/operators/second-factor-gate.tsx";
import { SignInPage } from "./pages/sessions/sign-in-page.tsx";
import { reads } from "./data/reads.ts";
import { DeskShell } from "./shell/desk-shell.tsx";

const root = createRootRoute({ component: Outlet });

/** Everything that needs a sign-in, inside the frame with the navigation. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  component: () => (
    <SessionGate account={reads.operator} signIn={(endedFor) => <SignInPage endedFor={endedFor} />}>
      <SecondFactorGate>
        <DeskShell>
          <Outlet />
        </DeskShell>
      </SecondFactorGate>
    </SessionGate>
  ),
});

/** A page whose code is fetched when it is first gone to, or pointed at. */
function page<Name extends string>(
  path: string,
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
): AnyRoute {
  return createRoute({
    getParentRoute: () => signedIn,
    path,
    component: lazyRouteComponent(load, name),
  });
}

export const deskRouteTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: deskRoutes.signIn,
    component: () => <SignInPage endedFor={undefined} />,
  }),
  signedIn.addChildren([
    page(deskRoutes.front, () => import("./pages/overview/overview-page.tsx"), "FrontPage"),
    page(deskRoutes.work, () => import("./pages/work/queue-page.tsx"), "QueuePage"),
    page(deskRoutes.workItem, () => import("./pages/work/work-page.tsx"), "WorkPage"),
    page(
      deskRoutes.withdrawals,
      () => import("./pages/work/withdrawals-page.tsx"),
      "WithdrawalsPage",
    ),
    page(deskRoutes.accounts, () => import("./pages/customers/accounts-page.tsx"), "AccountsPage"),
    page(deskRoutes.account, () => import("./pages/customers/account-page.tsx"), "AccountPage"),
    page(deskRoutes.machines, () => import("./pages/machines/machines-page.tsx"), "MachinesPage"),
    page(deskRoutes.importMachines, () => import("./pages/machines/import-page.tsx"), "ImportPage"),
    page(deskRoutes.subnets, () => import("./pages/subnets/subnets-page.tsx"), "SubnetsPage"),
    page(
      deskRoutes.catalogue,
      () => import("./pages/catalogue/catalogue-page.tsx"),
      "CataloguePage",
    ),
    page(deskRoutes.deposits, () => import("./pages/deposits/deposits-page.tsx"), "DepositsPage"),
    page(deskRoutes.audit, () => import("./pages/audit/audit-page.tsx"), "AuditPage"),
    page(deskRoutes.security, () => import("./pages/operators/security-page.tsx"), "SecurityPage"),
    page(
      deskRoutes.secondFactor,
      () => import("./pages/operators/second-factor-page.tsx"),
      "SecondFactorPage",
    ),
  ]),
]);
