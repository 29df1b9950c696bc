import { limits } from "@ironlease/contract";
import { controllerContext, replaceCredential } from "#kernel/controllers.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { reseal, type Resealed, type StoredSecret } from "#kernel/sealed-secrets.ts";

/** Seals with the current key every credential that an older key sealed. */
export function resealControllers(core: Core): Promise<Resealed> {
  return reseal(core, controllerCredentials(core), async ({ id, stored }, to) => {
    await core.db.write(async (tx) => {
      await replaceCredential(tx, id, { from: stored, to });
      return ok();
    });
  });
}

export async function* controllerCredentials({
  db,
}: {
  readonly db: Pick<Core["db"], "read">;
}): AsyncGenerator<StoredSecret> {
  let after = "";
  for (;;) {
    const page = await db.read
      .selectFrom("controllers")
      .select(["machine_id as id", "credential as stored"])
      .where("machine_id", ">", after)
      .orderBy("machine_id")
      .limit(limits.listLength)
      .execute();
    for (const row of page) yield { ...row, context: controllerContext(row.id) };
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
