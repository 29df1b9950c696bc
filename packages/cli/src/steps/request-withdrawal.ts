import { isError, type SessionClient } from "@ironlease/client";
import type { Context } from "#context.ts";
import { CommandFailure } from "#failures/failure.ts";
import { isKeyOf, newWithdrawalKey } from "./withdrawal-key.ts";
import { written } from "./written.ts";

type Request = Parameters<SessionClient["requestWithdrawal"]>[0];

/**
 * Requests a withdrawal. RECORDED is reported only for a key that was generated for this request: the
 * ledger shows no destination, so any other used key may belong to a different withdrawal.
 */
export async function requestWithdrawal(context: Context, client: SessionClient, request: Request) {
  const { username = "" } = context.target.profile.session ?? {};
  const key = await context.writing(() => newWithdrawalKey(username, request));
  const { idempotencyKey, resend } = key;
  const isOurs = isKeyOf(idempotencyKey, username, request);
  if (isOurs === false) throw keyOfAnother(idempotencyKey);
  try {
    const answer = written(await client.requestWithdrawal(request, key), key);
    if (answer.status !== "RECORDED") return answer;
    if (!isOurs) throw unverified(answer);
    return { ...answer, isVerified: true };
  } catch (error) {
    if (!isError(error, "requestWithdrawal", "idempotency_conflict")) throw error;
    if (isOurs) {
      return written({ status: "RECORDED", id: null, isVerified: true } as const, key);
    }
    throw resend === true ? notRecorded(request, error) : error;
  }
}

function keyOfAnother(idempotencyKey: string): CommandFailure {
  return new CommandFailure({
    exit: "keyUsed",
    code: "idempotency_conflict",
    message:
      "This key belongs to a different withdrawal: the asset, amount, destination or account differs. Nothing was sent.",
    advice: ["Repeat the withdrawal exactly, or leave out --idempotency-key to request a new one."],
    idempotencyKey,
  });
}

function notRecorded(
  { usd, asset }: Request,
  { requestId, idempotencyKey }: { requestId: string; idempotencyKey: string | undefined },
): CommandFailure {
  return new CommandFailure({
    exit: "keyUsed",
    code: "idempotency_conflict",
    message: `The key was used for a different withdrawal: the ledger has none of ${usd} USD in ${asset}. Nothing was changed.`,
    advice: ["To request this withdrawal with a new key, leave out --idempotency-key."],
    requestId,
    idempotencyKey,
  });
}

function unverified({
  id,
  idempotencyKey,
}: {
  readonly id: string | null;
  readonly idempotencyKey: string;
}): CommandFailure {
  return new CommandFailure({
    exit: "unknown",
    code: "destination_unverified",
    message:
      id === null
        ? "The key was used before, perhaps for a different withdrawal. This cannot be verified."
        : `The key was used before, and ${id} has the same asset and amount. The service does not show its destination, so it may be a different withdrawal.`,
    advice: [
      "Before you request it with another key, check the ledger:",
      "ironlease ledger list",
      "The operator can confirm the destination.",
    ],
    idempotencyKey,
  });
}
