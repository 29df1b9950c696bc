import type { Step } from "#kernel/call.ts";
import type { Chain, OutputFate } from "#ports/settlement.ts";
import {
  lockDeposit,
  removeDeposit,
  updateDeposit,
  type OutputChange,
} from "./recorded-deposit.ts";

/** Records what became of an output. Does nothing when no deposit of it is recorded. */
export async function recordFate(
  step: Step,
  chain: Chain,
  fate: OutputFate,
): Promise<OutputChange> {
  const { block, isGone, isLocked = false } = fate;
  const deposit = await lockDeposit(step.tx, chain.network, fate);
  if (deposit === undefined) return { isSeen: false, isGone: false };
  const confirmations = isGone ? 0 : fate.confirmations;
  if (isGone && deposit.state === "CONFIRMING") {
    await removeDeposit(step, deposit, { ...fate, confirmations });
    return { isSeen: false, isGone: true };
  }
  const standing = { block: isGone ? undefined : block, confirmations, isLocked };
  await updateDeposit(step, chain, deposit, { key: fate, standing });
  return { isSeen: false, isGone: false };
}
