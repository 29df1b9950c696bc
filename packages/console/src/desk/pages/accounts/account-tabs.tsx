import type { InspectAccountAnswer } from "@ironlease/client/operator";
import { EmptyState } from "../../../ui/states.tsx";
import { Table } from "../../../ui/table.tsx";
import { auditColumns } from "../../shared/audit-columns.tsx";
import { depositColumns } from "../../shared/deposit-columns.tsx";
import { ledgerColumns, orderColumns, withdrawalColumns } from "./money-columns.tsx";
import { ServersTable } from "./servers-table.tsx";

export const tabs = {
  servers: "Servers",
  ledger: "Ledger",
  deposits: "Deposits",
  withdrawals: "Withdrawals",
  orders: "Orders",
  audit: "Audit",
} as const;

export type TabName = keyof typeof tabs;
export const tabOrder = Object.keys(tabs) as readonly TabName[];

const keyOf = ({ id }: { readonly id: string }) => id;

export function AccountTab({
  tab,
  account,
}: {
  readonly tab: TabName;
  readonly account: InspectAccountAnswer;
}) {
  if (account[tab].length === 0) {
    return <EmptyState title={`No ${tabs[tab].toLowerCase()}`} />;
  }
  const common = { label: tabs[tab], isDense: true, keyOf } as const;
  switch (tab) {
    case "servers":
      return <ServersTable servers={account.servers} />;
    case "ledger":
      return <Table {...common} columns={ledgerColumns} rows={account.ledger} />;
    case "deposits":
      return <Table {...common} columns={depositColumns} rows={account.deposits} />;
    case "withdrawals":
      return <Table {...common} columns={withdrawalColumns} rows={account.withdrawals} />;
    case "orders":
      return <Table {...common} columns={orderColumns} rows={account.orders} />;
    case "audit":
      return <Table {...common} columns={auditColumns} rows={account.audit} />;
  }
}
