import type { Idempotency } from "@ironlease/contract";
import type { Tx } from "#ports/db.ts";
import type { Operator } from "./access/operator.ts";
import type { Client, Core } from "./core.ts";

/** A customer's call: which account, and from where. */
export interface CustomerCall {
  readonly accountId: string;
  readonly client: Client;
}

/** An operator's call. */
export interface OperatorCall {
  readonly operator: Operator;
  readonly client: Client;
}

/** A call of which only the actor's audit name is known. */
export interface ActorCall {
  readonly actor: string;
  readonly client: Client;
}

export type Call = CustomerCall | OperatorCall | ActorCall;

/** Work that the service does on its own, or on a command run on the server. */
export const systemCall: ActorCall = {
  actor: "system",
  client: { ipAddress: "", userAgent: "" },
};

/** The sender's key for one write, and how the operation answers a repeated key. */
export interface Intent {
  readonly operation: string;
  readonly key: string;
  readonly idempotency: Idempotency;
}

/** A call that takes effect once per key. */
export type Keyed<C extends Call> = C & { readonly intent: Intent };

/** The caller's id, as the audit and the idempotency keys record it. */
export function actorOf(call: Call): string {
  if ("accountId" in call) return call.accountId;
  return "operator" in call ? call.operator.operatorId : call.actor;
}

/** An open transaction, with the ports and rules that work inside it needs. */
export interface TxScope {
  readonly tx: Tx;
  readonly core: Pick<Core, "clock" | "ids" | "rules">;
}

/** One transaction of a use case, with its caller. */
export interface Step<C extends Call = Call> extends TxScope {
  readonly core: Core;
  readonly call: C;
}
