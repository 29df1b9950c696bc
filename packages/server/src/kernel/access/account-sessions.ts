import { limits } from "@ironlease/contract";
import type { Tx } from "#ports/db.ts";
import { preparedCommand } from "#kernel/sql/prepared.ts";
import { audit } from "#kernel/audit.ts";
import type { Client, Core } from "#kernel/core.ts";
import { beginSession, type IssuedSession } from "./session-secrets.ts";

/** Starts a session; when the account has as many as it may, the oldest goes. */
export async function issueSession(
  tx: Tx,
  core: Core,
  accountId: string,
  client: Client,
): Promise<IssuedSession> {
  const { issued, row } = beginSession(core, client);
  await lockAccount(tx, accountId);
  await tx
    .insertInto("sessions")
    .values({ ...row, account_id: accountId })
    .execute();
  const beyondLimit = tx
    .selectFrom("sessions")
    .select("id")
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    // SQLite takes an offset only after a limit; no account has this many.
    .limit(1_000_000)
    .offset(limits.sessionsPerAccount);
  const evicted = await tx
    .deleteFrom("sessions")
    .where("id", "in", beyondLimit)
    .returning("id")
    .execute();
  for (const { id } of evicted) {
    await audit(tx, core, {
      actor: accountId,
      action: "session.evict",
      subject: id,
      ipAddress: client.ipAddress,
    });
  }
  return issued;
}

const lockRow = preparedCommand(["accountId"], (tx, { accountId }: { accountId: string }) =>
  tx.selectFrom("accounts").select("id").where("id", "=", accountId).forNoKeyUpdate(),
);

/**
 * Holds the account's row until the transaction ends, so that counting its rows and adding one is
 * safe. Not the strongest lock, which every insert that refers to the account would wait for. The
 * next statement is the first to wait for it.
 */
export function lockAccount(tx: Tx, accountId: string): Promise<void> {
  return lockRow(tx, { accountId });
}

/** Ends every way into the account at once: a changed password must lock out whoever knew the old one. */
export async function endAllAccess(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom("sessions").where("account_id", "=", accountId).execute();
  await tx.deleteFrom("api_keys").where("account_id", "=", accountId).execute();
}
