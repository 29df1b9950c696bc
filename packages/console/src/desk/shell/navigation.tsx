import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  Banknote,
  Boxes,
  Coins,
  Inbox,
  LayoutDashboard,
  Network,
  ScrollText,
  ShieldCheck,
  Tags,
  Users,
} from "#ui/icons.ts";
import { deskRoutes } from "#app/urls.ts";
import { reads } from "#desk/data/reads.ts";

const places = [
  { to: deskRoutes.front, label: "Front page", Icon: LayoutDashboard },
  { to: deskRoutes.work, label: "Queue", Icon: Inbox },
  { to: deskRoutes.withdrawals, label: "Withdrawals", Icon: Banknote },
  { to: deskRoutes.accounts, label: "Accounts", Icon: Users },
  { to: deskRoutes.deposits, label: "Deposits", Icon: Coins },
  { to: deskRoutes.machines, label: "Machines", Icon: Boxes },
  { to: deskRoutes.subnets, label: "Subnets", Icon: Network },
  { to: deskRoutes.catalogue, label: "Catalogue", Icon: Tags },
  { to: deskRoutes.audit, label: "Audit", Icon: ScrollText },
  { to: deskRoutes.security, label: "Security", Icon: ShieldCheck },
] as const;

/** Where one can go; `onGo` lets a menu close itself. */
export function Navigation({ onGo }: { readonly onGo?: () => void }) {
  const { data: overview } = useQuery(reads.overview);
  const waiting: Readonly<Record<string, number>> =
    overview === undefined
      ? {}
      : {
          [deskRoutes.work]: overview.work.reduce((sum, { open }) => sum + open, 0),
          [deskRoutes.withdrawals]:
            overview.work.find(({ kind }) => kind === "WITHDRAWAL")?.open ?? 0,
        };
  return (
    <nav aria-label="Main">
      <ul className="flex flex-col gap-0.5">
        {places.map(({ to, label, Icon }) => (
          <li key={to}>
            <Link
              to={to}
              onClick={onGo}
              activeOptions={{ exact: to === "/", includeSearch: false }}
              className="flex min-h-9 items-center gap-3 rounded-md px-3 text-sm font-medium text-quiet hover:bg-raised hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
            >
              <Icon aria-hidden className="size-4.5" />
              {label}
              <Waiting count={waiting[to] ?? 0} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Waiting({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span className="figures ml-auto text-xs">
      {count}
      <span className="sr-only"> open</span>
    </span>
  );
}
