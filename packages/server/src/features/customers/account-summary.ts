import type { Kysely } from "kysely";
import type { Schema } from "#ports/schema.ts";

/** An account as operators see it in lists. */
export interface AccountSummary {
  readonly id: string;
  readonly username: string;
  readonly balanceCents: number;
  readonly heldCents: number;
  readonly createdAt: number;
  /** Null unless it is frozen. */
  readonly frozenAt: number | null;
  /** Null unless the customer has closed it. */
  readonly closedAt: number | null;
}

/** Selects the columns of a summary. The caller adds the conditions. */
export function selectAccounts(db: Kysely<Schema>) {
  return db
    .selectFrom("accounts")
    .innerJoin("balances", "balances.account_id", "accounts.id")
    .select([
      "accounts.id",
      "accounts.username",
      "balances.available_cents as balanceCents",
      "balances.held_cents as heldCents",
      "accounts.created_at as createdAt",
      "accounts.frozen_at as frozenAt",
      "accounts.closed_at as closedAt",
    ]);
}
