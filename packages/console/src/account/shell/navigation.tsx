import { Link } from "@tanstack/react-router";
import { KeyRound, LayoutDashboard, Network, Server, ShieldCheck, Wallet } from "#ui/icons.ts";
import { accountRoutes } from "#app/urls.ts";

const places = [
  { to: accountRoutes.overview, label: "Overview", Icon: LayoutDashboard },
  { to: accountRoutes.servers, label: "Servers", Icon: Server },
  { to: accountRoutes.network, label: "Network", Icon: Network },
  { to: accountRoutes.billing, label: "Billing", Icon: Wallet },
  { to: accountRoutes.keys, label: "SSH and API keys", Icon: KeyRound },
  { to: accountRoutes.security, label: "Security", Icon: ShieldCheck },
] as const;

/** Where one can go; `onGo` lets a menu close itself. */
export function Navigation({ onGo }: { readonly onGo?: () => void }) {
  return (
    <nav aria-label="Main">
      <ul className="flex flex-col gap-0.5">
        {places.map(({ to, label, Icon }) => (
          <li key={to}>
            <Link
              to={to}
              onClick={onGo}
              activeOptions={{ exact: to === "/" }}
              className="flex min-h-10 items-center gap-3 rounded-md px-3 text-sm font-medium text-quiet hover:bg-raised hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
            >
              <Icon aria-hidden className="size-4.5" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
