import type { InspectAccountAnswer } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table } from "#ui/table.tsx";
import type { AccountList, AccountLists } from "#desk/data/account-lists.ts";
import { reads } from "#desk/data/reads.ts";
import { auditColumns } from "#desk/shared/audit-columns.tsx";
import { depositColumns } from "#desk/shared/deposit-columns.tsx";
import { useFilters } from "#ui/filters.ts";
import { Pager } from "#ui/pager.tsx";
import { ledgerColumns, orderColumns, withdrawalColumns } from "./money-columns.tsx";
import { ServersTable } from "./servers-table.tsx";

export const tabs: Readonly<Record<AccountList, string>> = {
  servers: "Servers",
  ledger: "Ledger",
  deposits: "Deposits",
  withdrawals: "Withdrawals",
  orders: "Orders",
  audit: "Audit log",
};

/** For empty states: "No ledger entries". */
const rowNouns: Readonly<Record<AccountList, string>> = {
  servers: "servers",
  ledger: "ledger entries",
  deposits: "deposits",
  withdrawals: "withdrawals",
  orders: "orders",
  audit: "audit entries",
};

export const tabOrder = Object.keys(tabs) as readonly AccountList[];

/** One list of an account. The account brings the first page; later pages load separately. */
export function AccountTab({
  tab,
  account,
}: {
  readonly tab: AccountList;
  readonly account: InspectAccountAnswer;
}) {
  const after = useFilters().get("after");
  if (after !== "") return <LaterPage key={tab} tab={tab} id={account.id} after={after} />;
  if (account[tab].length === 0) {
    return <EmptyState title={`No ${rowNouns[tab]}`} />;
  }
  return (
    <>
      <Rows tab={tab} lists={account} />
      <Pager rows={account[tab]} />
    </>
  );
}

function LaterPage({
  tab,
  id,
  after,
}: {
  readonly tab: AccountList;
  readonly id: string;
  readonly after: string;
}) {
  const page = useQuery(reads.accountPage(tab, { id, after }));
  return (
    <Loaded query={page}>
      {(found) => {
        const lists = { ...noRows, ...found };
        return (
          <>
            {lists[tab].length === 0 ? (
              <EmptyState title={`No more ${rowNouns[tab]}`} />
            ) : (
              <Rows tab={tab} lists={lists} />
            )}
            <Pager rows={lists[tab]} />
          </>
        );
      }}
    </Loaded>
  );
}

const noRows: AccountLists = {
  servers: [],
  ledger: [],
  deposits: [],
  withdrawals: [],
  orders: [],
  audit: [],
};

const keyOf = ({ id }: { readonly id: string }) => id;

function Rows({ tab, lists }: { readonly tab: AccountList; readonly lists: AccountLists }) {
  const common = { label: tabs[tab], isDense: true, keyOf } as const;
  switch (tab) {
    case "servers":
      return <ServersTable servers={lists.servers} />;
    case "ledger":
      return <Table {...common} columns={ledgerColumns} rows={lists.ledger} />;
    case "deposits":
      return <Table {...common} columns={depositColumns} rows={lists.deposits} />;
    case "withdrawals":
      return <Table {...common} columns={withdrawalColumns} rows={lists.withdrawals} />;
    case "orders":
      return <Table {...common} columns={orderColumns} rows={lists.orders} />;
    case "audit":
      return <Table {...common} columns={auditColumns} rows={lists.audit} />;
  }
}
