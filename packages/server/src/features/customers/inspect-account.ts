import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { readAccountAudit, type AuditRecord } from "./account-audit.ts";
import { selectAccounts, type AccountSummary } from "./account-summary.ts";
import {
  listAccountServers,
  listAccountWithdrawals,
  type WithdrawalRecord,
} from "./account-lists.ts";
import type { OperatorServer } from "./operator-server.ts";

/** An account with the details that only operators see. */
export interface InspectedAccount extends AccountSummary {
  readonly frozenReason: string | null;
  /** How many are valid now. */
  readonly sessions: number;
  readonly apiKeys: number;
  /** Including ended ones. */
  readonly servers: readonly OperatorServer[];
  readonly withdrawals: readonly WithdrawalRecord[];
  readonly audit: readonly AuditRecord[];
}

/** The latest of each, newest first, in four queries. */
export async function inspectAccount(
  core: Core,
  accountId: string,
): Promise<Result<InspectedAccount>> {
  const account = await readAccount(core, accountId);
  if (account === undefined) return refuse("not_found");
  const [servers, withdrawals, audit] = await Promise.all([
    listAccountServers(core, accountId),
    listAccountWithdrawals(core, accountId),
    readAccountAudit(core, accountId),
  ]);
  return ok({ ...account, servers, withdrawals, audit });
}

async function readAccount({ db, clock, rules }: Core, accountId: string) {
  const now = clock.now();
  return selectAccounts(db.read)
    .select((eb) => [
      "accounts.frozen_reason as frozenReason",
      eb
        .selectFrom("sessions")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .where("account_id", "=", accountId)
        .where("ends_at", ">", now)
        .where("last_seen_at", ">", now - rules.sessionIdleMs)
        .$asScalar()
        .$notNull()
        .as("sessions"),
      eb
        .selectFrom("api_keys")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .where("account_id", "=", accountId)
        .where((key) => key.or([key("expires_at", "is", null), key("expires_at", ">", now)]))
        .$asScalar()
        .$notNull()
        .as("apiKeys"),
    ])
    .where("accounts.id", "=", accountId)
    .executeTakeFirst();
}
