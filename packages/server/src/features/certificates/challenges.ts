import { ok } from "#kernel/result.ts";
import type { CertificateCore } from "./scope.ts";

/** Longer than an order may take. */
const keepMs = 3_600_000;

/** Makes the answer known to every instance, because the authority may ask any of them. */
export async function addChallenge(
  { db, clock }: CertificateCore,
  token: string,
  answer: string,
): Promise<void> {
  const now = clock.now();
  await db.write(async (tx) => {
    await tx.deleteFrom("acme_challenges").where("expires_at", "<=", now).execute();
    await tx
      .insertInto("acme_challenges")
      .values({ token, answer, expires_at: now + keepMs })
      .onConflict((conflict) => conflict.column("token").doUpdateSet({ answer }))
      .execute();
    return ok();
  });
}

export async function removeChallenges(
  { db }: CertificateCore,
  tokens: readonly string[],
): Promise<void> {
  if (tokens.length === 0) return;
  await db.write(async (tx) => {
    await tx.deleteFrom("acme_challenges").where("token", "in", tokens).execute();
    return ok();
  });
}

export async function findChallenge(
  { db }: Pick<CertificateCore, "db">,
  token: string,
): Promise<string | undefined> {
  const found = await db.read
    .selectFrom("acme_challenges")
    .select("answer")
    .where("token", "=", token)
    .executeTakeFirst();
  return found?.answer;
}
