import { hashSecret } from "#kernel/access/secrets.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Tx } from "#ports/db.ts";
import type { PasskeyOwner, Side } from "./owner.ts";

/** Every write to `passkey_challenges`. A challenge is good for one answer of a browser. */

export const challengeMs = 5 * 60_000;

/** A challenge works only for the purpose that it was issued for. */
export type Purpose =
  | { readonly signInTo: Side }
  /** A new passkey of this owner. */
  | { readonly addTo: PasskeyOwner };

function textOf(purpose: Purpose): string {
  return "signInTo" in purpose ? `sign in ${purpose.signInTo}` : `add ${purpose.addTo.id}`;
}

/** Each owner has at most one challenge for a new passkey. Rate limits bound those for sign-ins. */
export async function issueChallenge(
  tx: Tx,
  core: Pick<Core, "clock" | "random">,
  purpose: Purpose,
): Promise<string> {
  if ("addTo" in purpose) {
    await tx.deleteFrom("passkey_challenges").where("purpose", "=", textOf(purpose)).execute();
  }
  const challenge = core.random.bytes(32).toString("base64url");
  await tx
    .insertInto("passkey_challenges")
    .values({
      challenge_hash: hashSecret(challenge),
      purpose: textOf(purpose),
      expires_at: core.clock.now() + challengeMs,
    })
    .execute();
  return challenge;
}

/**
 * Takes the challenge of an answer, before the answer is verified and in a transaction of its own, so that a refused
 * answer uses it up too. Of concurrent answers one gets it, on whichever instance.
 */
export async function takeChallenge(core: Core, clientDataJSON: string, purpose: Purpose) {
  const challenge = challengeOf(clientDataJSON);
  return core.db.write(async (tx) => {
    const taken = await tx
      .deleteFrom("passkey_challenges")
      .where("challenge_hash", "=", hashSecret(challenge))
      .where("purpose", "=", textOf(purpose))
      .where("expires_at", ">", core.clock.now())
      .executeTakeFirst();
    return ok(taken.numDeletedRows === 1n ? challenge : undefined);
  });
}

/** An empty text, which is never issued, if the client data name none. */
function challengeOf(clientDataJSON: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString());
    const { challenge } = data as { readonly challenge?: unknown };
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}

/** Deletes up to `limit` challenges that have expired, and returns how many. */
export async function sweepChallenges(tx: Tx, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("passkey_challenges")
    .where("challenge_hash", "in", (eb) =>
      eb
        .selectFrom("passkey_challenges")
        .select("challenge_hash")
        .where("expires_at", "<=", now)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
