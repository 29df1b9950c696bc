import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { UnknownSealingKey } from "#ports/sealing.ts";
import { secretContext } from "./webhook-record.ts";

const columns = ["secret", "previous_secret"] as const;
const pageLength = 200;
const maxPages = 100_000;

interface Resealed {
  readonly resealed: number;
  /** Sealed with a key that the key file lacks. */
  readonly unreadable: number;
}

/** Seals with the current key every webhook secret that an older key sealed, so that the older key can be removed. */
export async function resealWebhookSecrets(core: Core): Promise<Resealed> {
  let [resealed, unreadable, after] = [0, 0, ""];
  for (let page = 0; page < maxPages; page += 1) {
    const webhooks = await core.db.read
      .selectFrom("webhooks")
      .select(["id", ...columns])
      .where("id", ">", after)
      .orderBy("id")
      .limit(pageLength)
      .execute();
    for (const { id, ...row } of webhooks) {
      for (const column of columns) {
        const stored = row[column];
        if (stored === null || (await core.sealing.isCurrent(stored))) continue;
        const isDone = await reseal(core, { id, column, stored });
        if (isDone) resealed += 1;
        else unreadable += 1;
      }
    }
    const last = webhooks.at(-1);
    if (last === undefined || webhooks.length < pageLength) break;
    after = last.id;
  }
  return { resealed, unreadable };
}

interface StoredSecret {
  readonly id: string;
  readonly column: (typeof columns)[number];
  readonly stored: string;
}

/** False when the key is missing. */
async function reseal(core: Core, { id, column, stored }: StoredSecret): Promise<boolean> {
  const context = secretContext(id);
  let secret: string;
  try {
    secret = await core.sealing.open(stored, context);
  } catch (error) {
    if (error instanceof UnknownSealingKey) return false;
    throw error;
  }
  const sealed = await core.sealing.seal(secret, context);
  await core.db.write(async (tx) => {
    await tx
      .updateTable("webhooks")
      .set({ [column]: sealed })
      .where("id", "=", id)
      // The customer may have replaced it in the meantime.
      .where(column, "=", stored)
      .execute();
    return ok();
  });
  return true;
}
