import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { UnknownSealingKey } from "#ports/sealing.ts";
import { maxOperators } from "./list-operators.ts";
import {
  replaceSealed,
  secretColumns,
  type SecretColumn,
} from "#kernel/second-factor/stored-factor.ts";
import { totpContext } from "#kernel/second-factor/totp.ts";

/** Seals with the current key every second factor that is unsealed or sealed with an older key. Returns how many. */
export async function resealSecondFactors(core: Core): Promise<number> {
  let resealed = 0;
  for (const { id, column, stored, secret } of await openSecondFactors(core)) {
    if (await core.sealing.isCurrent(stored)) continue;
    const sealed = await core.sealing.seal(secret, totpContext(id));
    await core.db.write(async (tx) => {
      await replaceSealed(tx, { kind: "operator", id }, column, { old: stored, new: sealed });
      return ok();
    });
    resealed += 1;
  }
  return resealed;
}

interface Opened {
  readonly id: string;
  readonly column: SecretColumn;
  readonly stored: string;
  readonly secret: string;
}

/** The ports that opening needs. */
interface Opening {
  readonly sealing: Core["sealing"];
  readonly db: Pick<Core["db"], "read">;
}

/** Opens every second factor. Throws an error with advice if a key is missing, because its operator could not sign in. */
export async function openSecondFactors(core: Opening): Promise<readonly Opened[]> {
  // Reads the key first, so that an unreadable one fails the start instead of the first sign-in.
  const present = await core.sealing.keyId();
  const opened: Opened[] = [];
  for (const { id, username, ...row } of await operatorsWithSecrets(core)) {
    for (const column of secretColumns) {
      const stored = row[column];
      if (stored === null) continue;
      const secret = await core.sealing.open(stored, totpContext(id)).catch((error: unknown) => {
        throw error instanceof UnknownSealingKey
          ? missingKey(username, error.keyId, present)
          : error;
      });
      opened.push({ id, column, stored, secret });
    }
  }
  return opened;
}

function operatorsWithSecrets(core: Opening) {
  return core.db.read
    .selectFrom("operators")
    .select(["id", "username", ...secretColumns])
    .where((where) => where.or(secretColumns.map((column) => where(column, "is not", null))))
    .orderBy("username")
    .limit(maxOperators)
    .execute();
}

function missingKey(username: string, needed: string, present: string): Error {
  return new Error(
    `The second factor of ${username} is sealed with the key ${needed}, but the current key is ${present}: set IRONLEASE_SECRET_FILE to the right key file, or if it is lost, run ironleased operator reset ${username}.`,
  );
}
