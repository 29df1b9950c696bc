import type { OperatorOperationId } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import type { Handlers } from "#http/bind.ts";
import { auditHandlers } from "./audit.ts";
import { operatorCatalogueHandlers } from "./catalogue.ts";
import { checklistHandlers } from "./checklists.ts";
import { customerListHandlers } from "./customer-lists.ts";
import { customerServerHandlers } from "./customer-servers.ts";
import { customerHandlers } from "./customers.ts";
import { operatorDepositHandlers } from "./deposits.ts";
import { machineHandlers } from "./machines.ts";
import { operatorNoticeHandlers } from "./notices.ts";
import { operatorRecordHandlers } from "./operator-records.ts";
import { operatorHandlers } from "./operators.ts";
import { overviewHandlers } from "./overview.ts";
import { operatorPasskeyHandlers } from "./passkeys.ts";
import { payoutHandlers } from "./payouts.ts";
import { operatorRateHandlers } from "./rates.ts";
import { reportHandlers } from "./reports.ts";
import { reverseDnsHandlers } from "./reverse-dns.ts";
import { savedReplyHandlers } from "./saved-replies.ts";
import { searchHandlers } from "./search.ts";
import { operatorServiceHandlers } from "./service.ts";
import { settlementHandlers } from "./settlement.ts";
import { subnetHandlers } from "./subnets.ts";
import { operatorThreadHandlers } from "./threads.ts";
import { workHandlers } from "./work.ts";

/** The handlers of all operator operations. */
export function createOperatorHandlers(core: Core, version: string): Handlers<OperatorOperationId> {
  return {
    ...operatorHandlers(),
    ...operatorRecordHandlers(core),
    ...operatorPasskeyHandlers(core),
    ...workHandlers(core),
    ...checklistHandlers(core),
    ...operatorThreadHandlers(core),
    ...savedReplyHandlers(core),
    ...operatorNoticeHandlers(core),
    ...machineHandlers(core),
    ...subnetHandlers(core),
    ...reverseDnsHandlers(core),
    ...operatorCatalogueHandlers(core),
    ...customerHandlers(core),
    ...customerListHandlers(core),
    ...customerServerHandlers(core),
    ...searchHandlers(core),
    ...overviewHandlers(core),
    ...reportHandlers(core),
    ...auditHandlers(core),
    ...operatorDepositHandlers(core),
    ...operatorRateHandlers(core),
    ...payoutHandlers(core),
    ...settlementHandlers(core),
    ...operatorServiceHandlers(version),
  };
}
