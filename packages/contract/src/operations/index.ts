import { apiKeys } from "./api-keys.ts";
import { auth } from "./accounts.ts";
import { billing } from "./ledger.ts";
import { catalogue } from "./catalogue.ts";
import { network } from "./network.ts";
import { accounts } from "./operator/customers.ts";
import { operatorAccess } from "./operator/operators.ts";
import { inventory } from "./operator/machines.ts";
import { oversight } from "./operator/overview.ts";
import { operatorService } from "./operator/service.ts";
import { work } from "./operator/work.ts";
import { orders } from "./orders.ts";
import { servers } from "./servers.ts";
import { service } from "./service.ts";
import { sessions } from "./sessions.ts";
import { sshKeys } from "./ssh-keys.ts";

/** What customers call. */
export const accountOperations = {
  ...auth,
  ...sessions,
  ...apiKeys,
  ...sshKeys,
  ...catalogue,
  ...orders,
  ...servers,
  ...network,
  ...billing,
  ...service,
};

/** What operators call, on a listener of their own. */
export const operatorOperations = {
  ...operatorAccess,
  ...work,
  ...inventory,
  ...accounts,
  ...oversight,
  ...operatorService,
};

/** The table: every operation of the service under its name. */
export const operations = { ...accountOperations, ...operatorOperations };

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export type AccountOperationId = keyof typeof accountOperations;
export type OperatorOperationId = keyof typeof operatorOperations;
