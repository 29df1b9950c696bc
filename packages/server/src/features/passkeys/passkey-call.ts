import { actorOf, type CustomerCall, type OperatorCall } from "#kernel/call.ts";
import type { PasskeyOwner } from "#kernel/passkeys/owner.ts";

/** A call of an owner of passkeys, on either listener. */
export interface PasskeyCall {
  readonly call: CustomerCall | OperatorCall;
  readonly username: string;
  readonly sessionId: string;
  readonly signedInAt: number;
}

export function ownerOf({ call }: PasskeyCall): PasskeyOwner {
  return { side: "operator" in call ? "operator" : "account", id: actorOf(call) };
}
