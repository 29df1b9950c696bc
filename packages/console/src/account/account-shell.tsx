import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Corner } from "#app/shell/corner.tsx";
import { Shell } from "#app/shell/shell.tsx";
import type { NavigationItem } from "#app/shell/navigation.tsx";
import { accountRoutes, referenceUrl } from "#app/urls.ts";
import { LinkButton } from "#ui/button.tsx";
import {
  BookOpen,
  History,
  KeyRound,
  LayoutDashboard,
  MessageSquare,
  Network,
  Plus,
  Server,
  ShieldCheck,
  Wallet,
  WebhookIcon,
} from "#ui/icons.ts";
import { Money } from "#ui/money.tsx";
import { useBalance } from "./data/use-balance.ts";
import { useAccountSignOut } from "./data/use-account-sign-out.ts";
import { reads } from "./data/reads.ts";
import { FrozenNotice } from "./frozen-notice.tsx";

const itemsWith = (unread: number): readonly NavigationItem[] => [
  { to: accountRoutes.overview, label: "Overview", Icon: LayoutDashboard },
  { to: accountRoutes.servers, label: "Servers", Icon: Server },
  { to: accountRoutes.network, label: "Network", Icon: Network },
  { to: accountRoutes.billing, label: "Billing", Icon: Wallet },
  {
    to: accountRoutes.messages,
    label: "Messages",
    Icon: MessageSquare,
    openCount: unread,
    countedAs: "unread",
  },
  { to: accountRoutes.webhooks, label: "Webhooks", Icon: WebhookIcon },
  { to: accountRoutes.keys, label: "SSH and API keys", Icon: KeyRound },
  { to: accountRoutes.security, label: "Security", Icon: ShieldCheck },
  { to: accountRoutes.activity, label: "Activity", Icon: History },
];

export function AccountShell({ children }: { readonly children: ReactNode }) {
  const { data } = useQuery(reads.accountChanges);
  return (
    <Shell
      density="comfortable"
      items={itemsWith(data?.unread ?? 0)}
      Action={OrderLink}
      corner={<AccountCorner />}
    >
      <FrozenNotice />
      {children}
    </Shell>
  );
}

function OrderLink({ onGo }: { readonly onGo?: (() => void) | undefined }) {
  return (
    <LinkButton
      to={accountRoutes.order}
      variant="primary"
      icon={<Plus aria-hidden className="size-4" />}
      onGo={onGo}
    >
      Order servers
    </LinkButton>
  );
}

function AccountCorner() {
  const { data: account } = useQuery(reads.account);
  const balanceUsd = useBalance();
  const signOut = useAccountSignOut();
  return (
    <Corner
      username={account?.username}
      detail={balanceUsd !== undefined && <Money usd={balanceUsd} className="text-quiet" />}
      link={
        <a
          href={referenceUrl}
          className="flex min-h-9 items-center gap-2 rounded-md px-2 text-sm text-quiet hover:bg-raised hover:text-text"
        >
          <BookOpen aria-hidden className="size-4" />
          API
        </a>
      }
      signOut={signOut}
    />
  );
}
