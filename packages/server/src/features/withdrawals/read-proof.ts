import type { Completion, HeldJob } from "#kernel/work-effects.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";

/** The transaction that paid a withdrawal. */
export interface Evidence {
  readonly transactionId: string;
  /** Undefined where there is no node to ask. */
  readonly network: string | undefined;
  /** In whole coins. Null where no amount was fixed. */
  readonly amount: string | null;
  readonly isUnverified: boolean;
}

/** Decides, under the item's lock, whether what the chain said is enough to book the withdrawal as paid. */
export async function readProof(
  { proof, detail }: HeldJob,
  { transactionId, isUnverified }: Completion,
): Promise<Result<Evidence>> {
  if (transactionId === undefined) {
    return refuseField("transactionId", "is required: it proves that the withdrawal was paid");
  }
  if (proof === undefined) {
    return ok({ transactionId, network: undefined, amount: null, isUnverified: false });
  }
  const { network, amount } = proof;
  if (proof.amount !== (detail["amount"] ?? null)) {
    return refuse("conflict", {
      message: "The amount of this withdrawal has changed. Read the item again.",
    });
  }
  switch (proof.kind) {
    case "PROVED":
      return ok({ transactionId: proof.transactionId, network, amount, isUnverified: false });
    case "REFUTED":
      return refuse("conflict", { message: proof.reason });
    case "UNKNOWN":
      if (isUnverified)
        return ok({ transactionId: idIn(transactionId), network, amount, isUnverified });
      return refuse("settlement_unavailable", {
        message: `${proof.reason}. Try again later. If you have checked the payment elsewhere, complete with unverified and a note.`,
      });
  }
}

/** What follows a colon is evidence for the chain. No chain has ids with a colon. */
function idIn(transactionId: string): string {
  const [id = ""] = transactionId.split(":");
  return id;
}
