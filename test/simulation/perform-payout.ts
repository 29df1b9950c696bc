import { acceptSigned } from "#server/features/payouts/accept-signed.ts";
import { broadcastPayout } from "#server/features/payouts/broadcast-payout.ts";
import { cancelPayout } from "#server/features/payouts/cancel-payout.ts";
import { preparePayout } from "#server/features/payouts/prepare-payout.ts";
import { watchPayouts } from "#server/features/payouts/watch-payouts.ts";
import type { Result } from "#server/ports/result.ts";
import { signPayout } from "#test/payout-network.ts";
import { intentOf } from "#test/use-cases.ts";
import type { Fixture } from "./fixture.ts";
import type { OperationOf } from "./model/operations.ts";
import { wireKey } from "./outcomes.ts";
import { operatorOf } from "./perform-operator.ts";
import type { ServiceProcess } from "./process.ts";
import type { HandedOut } from "./subject.ts";

export function performPreparation(
  { core }: Pick<ServiceProcess, "core">,
  fixture: Fixture,
  { operator, key }: OperationOf<"prepare">,
  workIds: readonly string[],
): Promise<Result<unknown>> {
  const intent = intentOf("preparePayout", wireKey(key));
  const call = { ...operatorOf(fixture, operator), intent };
  return preparePayout(core, call, workIds, ({ id, unsigned, transactionId, cents }) => ({
    ...{ id, unsigned, transactionId, cents },
  }));
}

export function performPayoutStep(
  { core }: Pick<ServiceProcess, "core">,
  fixture: Fixture,
  { operator, verb }: OperationOf<"payoutStep">,
  { id: payoutId, unsigned }: HandedOut,
): Promise<Result<unknown>> {
  const call = operatorOf(fixture, operator);
  switch (verb) {
    case "sign":
      return acceptSigned(core, call, { payoutId, signed: signPayout(unsigned) });
    case "tamper":
      return acceptSigned(core, call, { payoutId, signed: signPayout(`${unsigned} `) });
    case "broadcast":
      return broadcastPayout(core, call, payoutId);
    case "cancel":
      return cancelPayout(core, call, { payoutId, reason: "test" });
  }
}

/** What the chain has mined stays mined. */
export async function performFollow(
  { core, network }: Pick<ServiceProcess, "core" | "network">,
  { confirmations, isSpentElsewhere }: OperationOf<"follow">,
  { unsigned, transactionId }: HandedOut,
): Promise<readonly unknown[]> {
  if (isSpentElsewhere && confirmations > 0) network.spendElsewhere(unsigned, confirmations);
  else network.confirm(transactionId, confirmations);
  return (await watchPayouts(core)).failures;
}
