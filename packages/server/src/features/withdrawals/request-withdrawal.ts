import { centsFromUsd, limits, withdrawalRange } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall, Keyed, Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { checkPayable } from "#kernel/destination/check-payable.ts";
import { once, type Effect, type RecordedAnswer } from "#kernel/idempotency.ts";
import { refuseDebit } from "#kernel/insufficient-balance.ts";
import { move } from "#kernel/ledger.ts";
import { isAllowedDestination } from "#kernel/withdrawal-guard.ts";
import { queueWork } from "#kernel/work-queue/items.ts";
import { addWithdrawal } from "#kernel/withdrawals.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Asset } from "#ports/settlement.ts";

export interface RequestedWithdrawal {
  readonly id: string;
  readonly status: "PENDING_REVIEW";
}

interface Request extends Record<string, string | number> {
  readonly asset: Asset;
  readonly destination: string;
  readonly cents: number;
}

/** Holds the amount and queues the review. A used key is always a conflict, never a replay. */
export async function requestWithdrawal(
  core: Core,
  call: Keyed<CustomerCall>,
  input: { readonly asset: Asset; readonly destination: string; readonly usd: number | string },
): Promise<Result<RecordedAnswer<RequestedWithdrawal>>> {
  const request = checkRequest(core, input);
  if (!request.ok) return request;
  return core.db.write((tx) => {
    const step = { tx, core, call };
    return once(step, request.value, () => hold(step, request.value));
  });
}

function checkRequest(
  core: Core,
  { asset, destination, usd }: { asset: Asset; destination: string; usd: number | string },
): Result<Request> {
  const address = checkPayable(core.settlement, { asset, destination });
  const cents = centsFromUsd(usd);
  const { min, max } = limits.withdrawalCents;
  const isGoodSum = cents !== undefined && cents >= min && cents <= max;
  if (address.ok && isGoodSum) return ok({ asset, destination: address.value, cents });
  const sum = { field: "usd", message: withdrawalRange };
  return refuse("validation_failed", {
    fields: [
      ...(address.ok ? [] : [{ field: "destination", message: address.message }]),
      ...(isGoodSum ? [] : [sum]),
    ],
  });
}

async function hold(
  step: Step<CustomerCall>,
  { asset, destination, cents }: Request,
): Promise<Result<Effect<RequestedWithdrawal>>> {
  const { tx, core } = step;
  const { accountId } = step.call;
  if (!(await isAllowedDestination(tx, { accountId, asset, destination }, core.clock.now()))) {
    return refuse("destination_not_allowed");
  }
  const id = core.ids.next("withdrawal");
  const held = await move(step, {
    type: "WITHDRAWAL_HOLD",
    accountId,
    cents,
    cause: `withdrawal/${id}/hold`,
    description: `Withdrawal in ${asset}, under review`,
    reference: { kind: "withdrawal", id },
  });
  if (!held.ok) return refuseDebit(tx, { accountId, cents }, "You");
  await addWithdrawal(step, { id, accountId, asset, destination, cents });
  const detail = { asset, destination, cents };
  await queueWork(step, [{ kind: "WITHDRAWAL", accountId, withdrawalId: id, detail }]);
  await audit(step, "withdrawal.request", id, detail);
  return ok({ status: 201, body: { id, status: "PENDING_REVIEW" }, reference: id });
}
