import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { networksIn } from "#kernel/access/allowed-networks.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { OperatorRole } from "#ports/schema.ts";

/** An operator by the name that a command has, or by the id that a request has. */
export type OperatorReference = { readonly username: string } | { readonly id: string };

export interface LockedOperator {
  readonly id: string;
  readonly username: string;
  readonly role: OperatorRole;
  readonly disabledAt: number | null;
  /** Null: anywhere. */
  readonly allowedNetworks: readonly string[] | null;
}

/** Finds the operator and locks the row. */
export async function lockOperator(
  tx: Tx,
  reference: OperatorReference,
): Promise<Result<LockedOperator>> {
  const query = tx
    .selectFrom("operators")
    .select(["id", "username", "role", "disabled_at as disabledAt"])
    .select("allowed_networks as networks")
    .forNoKeyUpdate();
  const found = await (
    "id" in reference
      ? query.where("id", "=", reference.id)
      : query.where("username", "=", reference.username.toLowerCase())
  ).executeTakeFirst();
  if (found !== undefined) {
    const { networks, ...operator } = found;
    return ok({ ...operator, allowedNetworks: networksIn(networks) });
  }
  if ("id" in reference) return refuse("not_found");
  return refuse("not_found", {
    message: `There is no operator ${reference.username}. To list the operators, run: ironleased operator list`,
  });
}
