import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { reseal, type Resealed, type StoredSecret } from "#kernel/sealed-secrets.ts";
import { secretContext } from "./webhook-record.ts";

const columns = ["secret", "previous_secret"] as const;
const pageLength = 200;

/** Seals with the current key every webhook secret that an older key sealed. */
export function resealWebhookSecrets(core: Core): Promise<Resealed> {
  return reseal(core, webhookSecrets(core), async ({ id, column, stored }, sealed) => {
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
  });
}

interface WebhookSecret extends StoredSecret {
  readonly column: (typeof columns)[number];
}

export async function* webhookSecrets({
  db,
}: {
  readonly db: Pick<Core["db"], "read">;
}): AsyncGenerator<WebhookSecret> {
  let after = "";
  for (;;) {
    const page = await db.read
      .selectFrom("webhooks")
      .select(["id", ...columns])
      .where("id", ">", after)
      .orderBy("id")
      .limit(pageLength)
      .execute();
    for (const { id, ...row } of page) {
      for (const column of columns) {
        const stored = row[column];
        if (stored !== null) yield { id, column, stored, context: secretContext(id) };
      }
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
