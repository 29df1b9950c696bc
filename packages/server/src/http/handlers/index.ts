import type { AccountOperationId } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import type { Handlers } from "#http/bind.ts";
import { accountExportHandlers } from "./account-export.ts";
import { accountSummaryHandlers } from "./account-summary.ts";
import { accountHandlers } from "./accounts.ts";
import { activityHandlers } from "./activity.ts";
import { catalogueHandlers } from "./catalogue.ts";
import { contactHandlers } from "./contact.ts";
import { depositHandlers } from "./deposits.ts";
import { apiKeyHandlers } from "./api-keys.ts";
import { idempotencyKeyHandlers } from "./idempotency-keys.ts";
import { ledgerHandlers } from "./ledger.ts";
import { liabilityHandlers } from "./liabilities.ts";
import { networkHandlers } from "./network.ts";
import { noticeHandlers } from "./notices.ts";
import { orderHandlers } from "./orders.ts";
import { passkeyHandlers } from "./passkeys.ts";
import { rateHandlers } from "./rates.ts";
import { serverHandlers } from "./servers.ts";
import { serviceHandlers } from "./service.ts";
import { sessionHandlers } from "./sessions.ts";
import { sshKeyHandlers } from "./ssh-keys.ts";
import { statementHandlers } from "./statements.ts";
import { threadHandlers } from "./threads.ts";
import { webhookHandlers } from "./webhooks.ts";
import { withdrawalAddressHandlers } from "./withdrawal-addresses.ts";
import { withdrawalHandlers } from "./withdrawals.ts";

/** The handlers of all customer operations. */
export function createHandlers(core: Core, version: string): Handlers<AccountOperationId> {
  return {
    ...accountHandlers(),
    ...accountExportHandlers(core),
    ...accountSummaryHandlers(core),
    ...sessionHandlers(core),
    ...passkeyHandlers(core),
    ...activityHandlers(core),
    ...apiKeyHandlers(core),
    ...sshKeyHandlers(core),
    ...contactHandlers(core),
    ...catalogueHandlers(core),
    ...orderHandlers(core),
    ...serverHandlers(core),
    ...networkHandlers(core),
    ...ledgerHandlers(core),
    ...statementHandlers(core),
    ...liabilityHandlers(core),
    ...depositHandlers(core),
    ...rateHandlers(core),
    ...withdrawalHandlers(),
    ...withdrawalAddressHandlers(core),
    ...threadHandlers(core),
    ...noticeHandlers(core),
    ...webhookHandlers(core),
    ...idempotencyKeyHandlers(core),
    ...serviceHandlers(core, version),
  };
}
