import { apiKeys } from "./api-keys.ts";
import { auth } from "./auth.ts";
import { billing } from "./billing.ts";
import { catalogue } from "./catalogue.ts";
import { network } from "./network.ts";
import { orders } from "./orders.ts";
import { servers } from "./servers.ts";
import { service } from "./service.ts";
import { sessions } from "./sessions.ts";
import { sshKeys } from "./ssh-keys.ts";

/** The table: every operation of the service under its name. */
export const operations = {
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

export type Operations = typeof operations;
export type OperationId = keyof Operations;
