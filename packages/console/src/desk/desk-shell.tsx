import type { ReadOverviewAnswer } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Corner } from "#app/shell/corner.tsx";
import { Shell } from "#app/shell/shell.tsx";
import type { NavigationItem } from "#app/shell/navigation.tsx";
import { deskRoutes } from "#app/urls.ts";
import { Badge } from "#ui/badge.tsx";
import {
  Banknote,
  Boxes,
  ChartColumn,
  Coins,
  Globe,
  Inbox,
  Landmark,
  LayoutDashboard,
  Megaphone,
  MessageSquare,
  Network,
  ScrollText,
  Send,
  ShieldCheck,
  Tags,
  UserCog,
  Users,
} from "#ui/icons.ts";
import { reads } from "./data/reads.ts";
import { isRoleAtLeast, requiredRoles, type Role } from "./data/roles.ts";
import { SearchButton, SearchOutlet } from "./search-button.tsx";
import { useOperatorSignOut } from "./data/use-operator-sign-out.ts";

export function DeskShell({ children }: { readonly children: ReactNode }) {
  const { data: operator } = useQuery(reads.operator);
  const { data: overview } = useQuery(reads.overview);
  const { data: unread } = useQuery(reads.threads({ unread: true }));
  return (
    <Shell
      density="compact"
      brandSuffix="desk"
      items={itemsWith(overview?.work ?? [], unread?.threads.length ?? 0).filter(
        ({ to }) => operator !== undefined && isRoleAtLeast(operator.role, pageRole(to)),
      )}
      Action={SearchButton}
      corner={
        <Corner
          username={operator?.username}
          detail={operator !== undefined && <Badge>{operator.role}</Badge>}
          signOut={useOperatorSignOut()}
        />
      }
    >
      {children}
      <SearchOutlet />
    </Shell>
  );
}

/** The lowest role that the page has anything for. */
function pageRole(to: string): Role {
  if (to === deskRoutes.operators) return requiredRoles.listOperators;
  return to === deskRoutes.reports ? requiredRoles.readRevenue : "support";
}

function itemsWith(
  work: ReadOverviewAnswer["work"],
  unanswered: number,
): readonly NavigationItem[] {
  const open = work.reduce((sum, one) => sum + one.open, 0);
  const openWithdrawals = work.find(({ kind }) => kind === "WITHDRAWAL")?.open ?? 0;
  return [
    { to: deskRoutes.overview, label: "Dashboard", Icon: LayoutDashboard },
    { to: deskRoutes.work, label: "Queue", Icon: Inbox, openCount: open },
    {
      to: deskRoutes.withdrawals,
      label: "Withdrawals",
      Icon: Banknote,
      openCount: openWithdrawals,
    },
    { to: deskRoutes.payouts, label: "Payouts", Icon: Send },
    {
      to: deskRoutes.messages,
      label: "Messages",
      Icon: MessageSquare,
      openCount: unanswered,
      countedAs: "unanswered",
    },
    { to: deskRoutes.notices, label: "Notices", Icon: Megaphone },
    { to: deskRoutes.accounts, label: "Accounts", Icon: Users },
    { to: deskRoutes.deposits, label: "Deposits", Icon: Coins },
    { to: deskRoutes.settlement, label: "Settlement", Icon: Landmark },
    { to: deskRoutes.machines, label: "Machines", Icon: Boxes },
    { to: deskRoutes.subnets, label: "Subnets", Icon: Network },
    { to: deskRoutes.reverseDns, label: "Reverse DNS", Icon: Globe },
    { to: deskRoutes.catalogue, label: "Catalogue", Icon: Tags },
    { to: deskRoutes.reports, label: "Reports", Icon: ChartColumn },
    { to: deskRoutes.audit, label: "Audit log", Icon: ScrollText },
    { to: deskRoutes.operators, label: "Operators", Icon: UserCog },
    { to: deskRoutes.security, label: "Security", Icon: ShieldCheck },
  ];
}
