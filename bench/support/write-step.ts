import type { OperationId } from "@ironlease/contract";
import type { Core } from "#server/kernel/core.ts";
import type { SeededUser } from "./bench-database.ts";

/** One write that every customer or operator sends once, or that the operator sends for each customer. */
export interface Step {
  readonly operation: OperationId;
  /**
   * The id, address or code for each user's request, in the order of the users. It goes into the path or the body. A
   * space separates two ids of a path.
   */
  readonly about?: (core: Core) => Promise<readonly string[]>;
  readonly body?: (index: number, id: string, person: SeededUser, port: number) => object;
  /** The index of the user's session; 0 by default. */
  readonly session?: 1 | 2;
  /** Every operator sends it once, in their own session. */
  readonly isOperators?: true;
  /** Customers without money send it, who do nothing else. */
  readonly isLeavers?: true;
  /** The number of requests, if fewer than there are users. */
  readonly limit?: number;
  /** Repeats an earlier step, with new idempotency keys. */
  readonly isAgain?: true;
  /** Prepares the next step and is not measured. */
  readonly isPreparation?: true;
}
