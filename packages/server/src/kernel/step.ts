import type { Tx } from "#ports/db.ts";
import type { Core } from "./core.ts";

/** An open transaction, with the ports and rules that work inside it needs. */
export interface TxScope {
  readonly tx: Tx;
  readonly core: Pick<Core, "clock" | "ids" | "rules">;
}
