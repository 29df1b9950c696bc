import type { OperatorOperationId } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import type { Handlers } from "#http/bind.ts";
import { operatorAccessHandlers } from "./operators.ts";
import { accountListHandlers } from "./customer-lists.ts";
import { accountHandlers } from "./customers.ts";
import { inventoryHandlers } from "./machines.ts";
import { oversightHandlers } from "./overview.ts";
import { operatorServiceHandlers } from "./service.ts";
import { workHandlers } from "./work.ts";

/** The handler of every operation of the desk. */
export function createOperatorHandlers(core: Core, version: string): Handlers<OperatorOperationId> {
  return {
    ...operatorAccessHandlers(),
    ...workHandlers(core),
    ...inventoryHandlers(core),
    ...accountHandlers(core),
    ...accountListHandlers(core),
    ...oversightHandlers(core),
    ...operatorServiceHandlers(version),
  };
}
