import { createRootRoute, createRoute, Outlet } from "@tanstack/react-router";
import { lazyPage } from "#app/lazy-page.ts";
import { NotFoundPage } from "#app/not-found-page.tsx";
import { SessionGate } from "#app/session-gate.tsx";
import { deskRoutes } from "#app/urls.ts";
import { SecondFactorGate } from "./pages/operators/second-factor-gate.tsx";
import { SignInPage } from "./pages/sessions/sign-in-page.tsx";
import { reads } from "./data/reads.ts";
import { DeskShell } from "./desk-shell.tsx";

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => <NotFoundPage brandSuffix="desk" />,
});

/** Parent of every page that needs a session. */
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

export const deskRouteTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: deskRoutes.signIn,
    component: () => <SignInPage endedFor={undefined} />,
  }),
  signedIn.addChildren([
    lazyPage(
      signedIn,
      deskRoutes.overview,
      () => import("./pages/overview/overview-page.tsx"),
      "OverviewPage",
    ),
    lazyPage(signedIn, deskRoutes.work, () => import("./pages/work/queue-page.tsx"), "QueuePage"),
    lazyPage(signedIn, deskRoutes.workItem, () => import("./pages/work/work-page.tsx"), "WorkPage"),
    lazyPage(
      signedIn,
      deskRoutes.withdrawals,
      () => import("./pages/work/withdrawals-page.tsx"),
      "WithdrawalsPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.payouts,
      () => import("./pages/payouts/payouts-page.tsx"),
      "PayoutsPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.payout,
      () => import("./pages/payouts/payout-page.tsx"),
      "PayoutPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.messages,
      () => import("./pages/threads/threads-page.tsx"),
      "ThreadsPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.newMessage,
      () => import("./pages/threads/new-thread-page.tsx"),
      "NewThreadPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.thread,
      () => import("./pages/threads/thread-page.tsx"),
      "ThreadPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.savedReplies,
      () => import("./pages/saved-replies/saved-replies-page.tsx"),
      "SavedRepliesPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.notices,
      () => import("./pages/notices/notices-page.tsx"),
      "NoticesPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.accounts,
      () => import("./pages/customers/accounts-page.tsx"),
      "AccountsPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.account,
      () => import("./pages/customers/account-page.tsx"),
      "AccountPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.server,
      () => import("./pages/customers/server-page.tsx"),
      "ServerPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.checklists,
      () => import("./pages/checklists/checklists-page.tsx"),
      "ChecklistsPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.machines,
      () => import("./pages/machines/machines-page.tsx"),
      "MachinesPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.importMachines,
      () => import("./pages/machines/import-page.tsx"),
      "ImportPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.machineLabels,
      () => import("./pages/machines/labels-page.tsx"),
      "LabelsPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.machine,
      () => import("./pages/machines/machine-page.tsx"),
      "MachinePage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.subnets,
      () => import("./pages/subnets/subnets-page.tsx"),
      "SubnetsPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.reverseDns,
      () => import("./pages/reverse-dns/reverse-dns-page.tsx"),
      "ReverseDnsPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.catalogue,
      () => import("./pages/catalogue/catalogue-page.tsx"),
      "CataloguePage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.deposits,
      () => import("./pages/deposits/deposits-page.tsx"),
      "DepositsPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.settlement,
      () => import("./pages/settlement/settlement-page.tsx"),
      "SettlementPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.reports,
      () => import("./pages/reports/reports-page.tsx"),
      "ReportsPage",
    ),
    lazyPage(signedIn, deskRoutes.audit, () => import("./pages/audit/audit-page.tsx"), "AuditPage"),
    lazyPage(
      signedIn,
      deskRoutes.operators,
      () => import("./pages/operators/operators-page.tsx"),
      "OperatorsPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.security,
      () => import("./pages/operators/security-page.tsx"),
      "SecurityPage",
    ),
    lazyPage(
      signedIn,
      deskRoutes.secondFactor,
      () => import("./pages/operators/second-factor-page.tsx"),
      "SecondFactorPage",
    ),
  ]),
]);
