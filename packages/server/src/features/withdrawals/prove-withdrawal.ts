import { unitsOfAmount } from "#kernel/coin-amount.ts";
import type { Core } from "#kernel/core.ts";
import { callChain, connectedAsset } from "#kernel/settlement.ts";
import type { Completion, HeldJob, Item, Proof } from "#kernel/work-effects.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";

/** Asks the chain whether the transaction pays the withdrawal. Undefined where there is no node to ask. */
export async function proveWithdrawal(
  core: Core,
  { asset, destination, detail }: Item & Pick<HeldJob, "detail">,
  { transactionId }: Completion,
): Promise<Proof | undefined> {
  const connected = asset === null ? undefined : connectedAsset(core.settlement, asset);
  const payouts = connected?.chain.payouts;
  if (asset === null || destination === null || transactionId === undefined) return undefined;
  if (connected === undefined || payouts === undefined) return undefined;
  const { network } = connected.chain;
  const amount = typeof detail["amount"] === "string" ? detail["amount"] : null;
  const about = { network, amount };
  if (amount === null) {
    const reason = String(detail["amountError"] ?? "the item was claimed without an amount");
    return { ...about, kind: "UNKNOWN", reason: `There is no amount to check: ${reason}` };
  }
  try {
    const evidence = await callChain(connected.chain, (signal) =>
      payouts.verify(
        transactionId,
        { asset, destination, amountUnits: unitsOfAmount(amount) },
        signal,
      ),
    );
    switch (evidence.kind) {
      case "PAID":
        return { ...about, kind: "PROVED", transactionId: evidence.transactionId };
      case "NOT_PAID":
        return { ...about, kind: "REFUTED", reason: evidence.reason };
      case "UNKNOWN":
        return {
          ...about,
          kind: "REFUTED",
          reason: `${network} does not know transaction ${transactionId}. Check the id, or wait until the network has it.`,
        };
    }
  } catch (error) {
    if (error instanceof SettlementUnavailable || error instanceof SettlementFailed) {
      return { ...about, kind: "UNKNOWN", reason: error.message };
    }
    throw error;
  }
}
