import { accountExport } from "./account-export.ts";
import { accountSummary } from "./account-summary.ts";
import { accounts } from "./accounts.ts";
import { activity } from "./activity.ts";
import { apiKeys } from "./api-keys.ts";
import { catalogue } from "./catalogue.ts";
import { contacts } from "./contact.ts";
import { deposits } from "./deposits.ts";
import { idempotencyKeys } from "./idempotency-keys.ts";
import { ledger } from "./ledger.ts";
import { liabilities } from "./liabilities.ts";
import { network } from "./network.ts";
import { notices } from "./notices.ts";
import { audit } from "./operator/audit.ts";
import { operatorCatalogue } from "./operator/catalogue.ts";
import { checklists } from "./operator/checklists.ts";
import { customerServers } from "./operator/customer-servers.ts";
import { customers } from "./operator/customers.ts";
import { operatorDeposits } from "./operator/deposits.ts";
import { hardwareRuns } from "./operator/hardware-runs.ts";
import { machineHistory } from "./operator/machine-history.ts";
import { machines } from "./operator/machines.ts";
import { operatorNotices } from "./operator/notices.ts";
import { operatorRecords } from "./operator/operator-records.ts";
import { operators } from "./operator/operators.ts";
import { overview } from "./operator/overview.ts";
import { operatorPasskeys } from "./operator/passkeys.ts";
import { payouts } from "./operator/payouts.ts";
import { operatorRates } from "./operator/rates.ts";
import { reports } from "./operator/reports.ts";
import { reverseDns } from "./operator/reverse-dns.ts";
import { savedReplies } from "./operator/saved-replies.ts";
import { search } from "./operator/search.ts";
import { operatorService } from "./operator/service.ts";
import { settlement } from "./operator/settlement.ts";
import { subnets } from "./operator/subnets.ts";
import { operatorThreads } from "./operator/threads.ts";
import { work } from "./operator/work.ts";
import { orders } from "./orders.ts";
import { passkeys } from "./passkeys.ts";
import { rates } from "./rates.ts";
import { servers } from "./servers.ts";
import { service } from "./service.ts";
import { sessions } from "./sessions.ts";
import { sshKeys } from "./ssh-keys.ts";
import { statements } from "./statements.ts";
import { threads } from "./threads.ts";
import { webhooks } from "./webhooks.ts";
import { withdrawalAddresses } from "./withdrawal-addresses.ts";
import { withdrawals } from "./withdrawals.ts";

/** The API for customers. */
export const accountOperations = {
  ...accounts,
  ...sessions,
  ...passkeys,
  ...apiKeys,
  ...sshKeys,
  ...contacts,
  ...catalogue,
  ...orders,
  ...servers,
  ...network,
  ...ledger,
  ...statements,
  ...liabilities,
  ...deposits,
  ...rates,
  ...withdrawals,
  ...withdrawalAddresses,
  ...threads,
  ...notices,
  ...activity,
  ...webhooks,
  ...idempotencyKeys,
  ...accountExport,
  ...accountSummary,
  ...service,
};

/** The API for operators, on a separate listener. */
export const operatorOperations = {
  ...operators,
  ...operatorRecords,
  ...operatorPasskeys,
  ...work,
  ...hardwareRuns,
  ...checklists,
  ...operatorThreads,
  ...savedReplies,
  ...operatorNotices,
  ...machines,
  ...machineHistory,
  ...subnets,
  ...reverseDns,
  ...operatorCatalogue,
  ...customers,
  ...customerServers,
  ...search,
  ...overview,
  ...reports,
  ...audit,
  ...operatorDeposits,
  ...operatorRates,
  ...payouts,
  ...settlement,
  ...operatorService,
};

/** Every operation of the service by its id. */
export const operations = { ...accountOperations, ...operatorOperations };

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export type AccountOperationId = keyof typeof accountOperations;
export type OperatorOperationId = keyof typeof operatorOperations;
