import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Money } from "#ui/money.tsx";
import { Page } from "#ui/page.tsx";
import { Skeleton } from "#ui/states.tsx";
import { LinkTabs } from "#ui/tabs.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";

const tabs = [
  { to: accountRoutes.billing, label: "Ledger" },
  { to: accountRoutes.statements, label: "Statements" },
  { to: accountRoutes.deposit, label: "Deposit" },
  { to: accountRoutes.withdraw, label: "Withdraw" },
] as const;

/** The balance and tabs that the ledger, statement, deposit and withdrawal pages share. */
export function BillingFrame({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}) {
  const { data: account } = useQuery(reads.accountChanges);
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <dl className="flex gap-8">
          <Amount name="Balance" usd={account?.balanceUsd} />
          <Amount name="Held" usd={account?.heldUsd} />
        </dl>
      }
    >
      <div className="-mt-2 lg:-mt-4">
        <LinkTabs label="Billing" tabs={tabs} />
      </div>
      {children}
    </Page>
  );
}

function Amount({ name, usd }: { readonly name: string; readonly usd: number | undefined }) {
  return (
    <div className="flex flex-col">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="text-xl font-semibold">
        {usd === undefined ? <Skeleton className="my-1 h-5 w-24" /> : <Money usd={usd} />}
      </dd>
    </div>
  );
}
