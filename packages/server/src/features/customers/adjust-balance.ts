import { centsFromUsd, maxCents, usdFromCents } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import { once, type Intent, type RecordedAnswer } from "#kernel/idempotency.ts";
import { move } from "#kernel/ledger.ts";
import type { OperatorCall } from "#kernel/access/operator.ts";
import type { Tx } from "#ports/db.ts";
import { ok, refuse, refuseField, type Result } from "#ports/result.ts";
import { readReason } from "./reason.ts";

export interface Adjustment {
  /** Of the ledger entry. */
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
 * Moves money between the house and a customer, once for a key of this operator. The account is a
 * part of the request: the same key for another one is a conflict. The customer reads the reason.
 */
export async function adjustBalance(
  core: Core,
  call: OperatorCall,
  intent: Intent,
  accountId: string,
  input: { readonly usd: number | string; readonly reason: string },
): Promise<Result<RecordedAnswer<Adjustment>>> {
  const cents = centsFromUsd(input.usd);
  if (cents === undefined || cents === 0) {
    return refuseField("usd", "must be USD other than 0 with at most two decimals");
  }
  const reason = readReason(input.reason);
  if (!reason.ok) return reason;
  const request: Request = { accountId, cents, reason: reason.value };
  return core.db.write(async (tx) => {
    if (!(await exists(tx, accountId))) return refuse("not_found");
    return once(tx, core, call.operator.operatorId, intent, request, () =>
      adjust(tx, core, call, intent, request),
    );
  });
}

async function exists(tx: Tx, accountId: string): Promise<boolean> {
  const account = tx.selectFrom("accounts").select("id").where("id", "=", accountId);
  return (await account.executeTakeFirst()) !== undefined;
}

async function adjust(
  tx: Tx,
  core: Core,
  { operator, client }: OperatorCall,
  { key }: Intent,
  { accountId, cents, reason }: Request,
): Promise<Result<{ readonly status: 201; readonly body: Adjustment }>> {
  const moved = await move(tx, core, {
    type: "ADJUSTMENT",
    accountId,
    cents,
    cause: `adjustment/${operator.operatorId}/${key}`,
    description: reason,
    reference: { kind: "adjustment" },
  });
  if (!moved.ok) return cents > 0 ? tooMuch : moreThanThere;
  const { entryId, balanceCents } = moved.value;
  await audit(tx, core, {
    actor: operator.operatorId,
    action: "account.adjust",
    subject: accountId,
    detail: { cents, reason, entryId },
    ipAddress: client.ipAddress,
  });
  const [usd, balanceUsd] = [usdFromCents(cents), usdFromCents(balanceCents)];
  return ok({ status: 201, body: { id: entryId, accountId, usd, balanceUsd } });
}

const moreThanThere = refuse("insufficient_balance", {
  message: "The balance is less than this would take. Take at most what there is.",
});

const tooMuch = refuseField(
  "usd",
  `must leave the balance at ${usdFromCents(maxCents)} USD at most, the most that one may hold`,
);
