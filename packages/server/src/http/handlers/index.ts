import type { AccountOperationId } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import type { Handlers } from "#http/bind.ts";
import { accessHandlers } from "./accounts.ts";
import { catalogueHandlers } from "./catalogue.ts";
import { depositHandlers } from "./deposits.ts";
import { keyHandlers } from "./api-keys.ts";
import { moneyHandlers } from "./ledger.ts";
import { networkHandlers } from "./network.ts";
import { orderHandlers } from "./orders.ts";
import { serverHandlers } from "./servers.ts";
import { serviceHandlers } from "./service.ts";
import { sessionHandlers } from "./sessions.ts";

/** The handler of every operation that customers call. The type says so, and the start checks it again. */
export function createHandlers(core: Core, version: string): Handlers<AccountOperationId> {
  return {
    ...accessHandlers(),
    ...sessionHandlers(core),
    ...keyHandlers(core),
    ...catalogueHandlers(core),
    ...orderHandlers(core),
    ...serverHandlers(core),
    ...networkHandlers(core),
    ...moneyHandlers(core),
    ...depositHandlers(core),
    ...serviceHandlers(core, version),
  };
}
