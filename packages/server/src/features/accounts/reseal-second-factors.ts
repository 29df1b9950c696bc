import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { reseal, type Resealed, type StoredSecret } from "#kernel/sealed-secrets.ts";
import {
  replaceSealed,
  secretColumns,
  type SecretColumn,
} from "#kernel/second-factor/stored-factor.ts";
import { totpContext } from "#kernel/second-factor/totp.ts";

const pageLength = 200;

/** Seals with the current key every customer's second factor that an older key sealed. */
export function resealAccountFactors(core: Core): Promise<Resealed> {
  return reseal(core, accountFactors(core), async ({ id, column, stored }, sealed) => {
    await core.db.write(async (tx) => {
      await replaceSealed(tx, { kind: "account", id }, column, { old: stored, new: sealed });
      return ok();
    });
  });
}

interface AccountFactor extends StoredSecret {
  readonly column: SecretColumn;
}

export async function* accountFactors({
  db,
}: {
  readonly db: Pick<Core["db"], "read">;
}): AsyncGenerator<AccountFactor> {
  let after = "";
  for (;;) {
    const page = await db.read
      .selectFrom("accounts")
      .select(["id", ...secretColumns])
      .where((where) => where.or(secretColumns.map((column) => where(column, "is not", null))))
      .where("id", ">", after)
      .orderBy("id")
      .limit(pageLength)
      .execute();
    for (const { id, ...row } of page) {
      for (const column of secretColumns) {
        const stored = row[column];
        if (stored !== null) yield { id, column, stored, context: totpContext(id) };
      }
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
