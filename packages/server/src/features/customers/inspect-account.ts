import { limits } from "@ironlease/contract";
import type { Core } from "../../kernel/core.ts";
import { ok, refuse, type Result } from "../../ports/result.ts";
import { readAccountAudit, type AuditRecord } from "./account-audit.ts";
import { selectAccounts, type AccountSummary } from "./account-summary.ts";
import { heldServerColumns, type HeldServer } from "./held-server.ts";

export interface WithdrawalRecord {
  readonly id: string;
  readonly asset: string;
  readonly destination: string;
  readonly cents: number;
  readonly status: "PENDING_REVIEW" | "PAID" | "REJECTED";
  readonly transactionId: string | null;
  readonly createdAt: number;
  readonly resolvedAt: number | null;
}

/** What the desk knows of an account beyond what the account itself can list. */
export interface InspectedAccount extends AccountSummary {
  /** How many are alive. */
  readonly sessions: number;
  readonly apiKeys: number;
  /** Those that have ended too. */
  readonly servers: readonly HeldServer[];
  readonly withdrawals: readonly WithdrawalRecord[];
  readonly audit: readonly AuditRecord[];
}

/** The latest of each, the newest first: four queries however much there is. */
export async function inspectAccount(
  core: Core,
  accountId: string,
): Promise<Result<InspectedAccount>> {
  const account = await readAccount(core, accountId);
  if (account === undefined) return refuse("not_found");
  const [servers, withdrawals, audit] = await Promise.all([
    latestServers(core, accountId),
    latestWithdrawals(core, accountId),
    readAccountAudit(core, accountId),
  ]);
  return ok({ ...account, servers, withdrawals, audit });
}

async function readAccount({ db, clock, rules }: Core, accountId: string) {
  const now = clock.now();
  return selectAccounts(db.read)
    .select((eb) => [
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

async function latestServers({ db }: Core, accountId: string): Promise<readonly HeldServer[]> {
  return db.read
    .selectFrom("servers")
    .select(heldServerColumns)
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limits.listLength)
    .execute();
}

async function latestWithdrawals(
  { db }: Core,
  accountId: string,
): Promise<readonly WithdrawalRecord[]> {
  return db.read
    .selectFrom("withdrawals")
    .select([
      "id",
      "asset",
      "destination",
      "cents",
      "status",
      "transaction_id as transactionId",
      "created_at as createdAt",
      "resolved_at as resolvedAt",
    ])
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limits.listLength)
    .execute();
}
