import type { InspectAccountAnswer } from "@ironlease/client/operator";
import { client } from "./client.ts";

/** The lists whose first page comes with the account. */
export type AccountLists = Pick<
  InspectAccountAnswer,
  "servers" | "ledger" | "deposits" | "withdrawals" | "orders" | "audit"
>;
export type AccountList = keyof AccountLists;

export interface PageRequest {
  readonly id: string;
  readonly after: string;
}

type ReadPage = (
  request: PageRequest,
  options: { readonly signal: AbortSignal },
) => Promise<Partial<AccountLists>>;

/** Reads a later page of one of the lists. */
export const readPage: Readonly<Record<AccountList, ReadPage>> = {
  servers: (...page) => client.listAccountServers(...page),
  ledger: async (...page) => ({ ledger: (await client.listAccountLedger(...page)).entries }),
  deposits: (...page) => client.listAccountDeposits(...page),
  withdrawals: (...page) => client.listAccountWithdrawals(...page),
  orders: (...page) => client.listAccountOrders(...page),
  audit: async (...page) => ({ audit: (await client.listAccountAudit(...page)).entries }),
};
