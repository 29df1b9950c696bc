import { centsFromUsd, maxCents, usdFromCents } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import { lockOpenAccount } from "#kernel/closed-account.ts";
import type { Core } from "#kernel/core.ts";
import { once, type Effect, type RecordedAnswer } from "#kernel/idempotency.ts";
import { refuseDebit } from "#kernel/insufficient-balance.ts";
import { move } from "#kernel/ledger.ts";
import type { Keyed, OperatorCall, Step } from "#kernel/call.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuseField } from "#kernel/result.ts";
import { readReason } from "./reason.ts";

export interface Adjustment {
  /** The id of the ledger entry. */
  readonly id: string;
  readonly accountId: string;
  readonly usd: number;
  readonly balanceUsd: number;
}

interface Request extends Record<string, string | number> {
  readonly accountId: string;
  readonly cents: number;
  readonly reason: string;
}

/**
 * Credits or debits a customer's balance, once per key of this operator. The account is part of the request, so
 * reusing its key for another account is a conflict. The customer reads the reason.
 */
export async function adjustBalance(
  core: Core,
  call: Keyed<OperatorCall>,
  input: { readonly accountId: string; readonly usd: number | string; readonly reason: string },
): Promise<Result<RecordedAnswer<Adjustment>>> {
  const cents = centsFromUsd(input.usd);
  if (cents === undefined || cents === 0) {
    return refuseField("usd", "must be an amount in USD other than 0, with at most two decimals");
  }
  const reason = readReason(input.reason);
  if (!reason.ok) return reason;
  const { accountId } = input;
  const request: Request = { accountId, cents, reason: reason.value };
  return core.db.write(async (tx) => {
    const open = await lockOpenAccount(tx, accountId);
    // A debit returns what was paid to a closed account.
    if (!open.ok && (open.refusal.code === "not_found" || cents > 0)) return open;
    const step = { tx, core, call };
    return once(step, request, () => adjust(step, request));
  });
}

async function adjust(
  step: Step<Keyed<OperatorCall>>,
  { accountId, cents, reason }: Request,
): Promise<Result<Effect<Adjustment>>> {
  const { operator, intent } = step.call;
  const moved = await move(step, {
    type: "ADJUSTMENT",
    accountId,
    cents,
    cause: `adjustment/${operator.operatorId}/${intent.key}`,
    description: reason,
    reference: { kind: "adjustment" },
  });
  if (!moved.ok) {
    return cents > 0
      ? aboveMaximum
      : refuseDebit(step.tx, { accountId, cents: -cents }, "The account");
  }
  const { entryId, balanceCents } = moved.value;
  await audit(step, "account.adjust", accountId, { cents, reason, entryId });
  const [usd, balanceUsd] = [usdFromCents(cents), usdFromCents(balanceCents)];
  const body = { id: entryId, accountId, usd, balanceUsd };
  return ok({ status: 201, body, reference: entryId });
}

const aboveMaximum = refuseField(
  "usd",
  `must not raise the balance above the maximum of ${usdFromCents(maxCents)} USD`,
);
