import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { takeAttempts } from "#kernel/rate-limits.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

/** The account itself. Everything else is read in pages. */
export interface ExportedAccount {
  readonly id: string;
  readonly username: string;
  readonly createdAt: number;
  readonly balanceCents: number;
  readonly heldCents: number;
  /** Sealed. */
  readonly totpSecret: string | null;
  readonly frozenAt: number | null;
  readonly frozenReason: string | null;
}

/** Counts and records an export, because it reads much and a stolen session could take everything with it. */
export async function beginExport(
  core: Core,
  call: CustomerCall,
): Promise<Result<ExportedAccount>> {
  const { accountId } = call;
  return core.db.write(async (tx) => {
    const attempts = [{ limit: "exportsPerAccount", subject: accountId }] as const;
    const taken = await takeAttempts(tx, core.rules, attempts, core.clock.now());
    if (!taken.ok) return taken;
    await audit({ tx, core, call }, "account.export", accountId);
    const account = await tx
      .selectFrom("accounts")
      .innerJoin("balances", "balances.account_id", "accounts.id")
      .select(["accounts.id", "accounts.username", "accounts.created_at as createdAt"])
      .select("accounts.totp_secret as totpSecret")
      .select(["accounts.frozen_at as frozenAt", "accounts.frozen_reason as frozenReason"])
      .select(["balances.available_cents as balanceCents", "balances.held_cents as heldCents"])
      .where("accounts.id", "=", accountId)
      .where("accounts.closed_at", "is", null)
      .executeTakeFirst();
    return account === undefined ? refuse("authentication_required") : ok(account);
  });
}
