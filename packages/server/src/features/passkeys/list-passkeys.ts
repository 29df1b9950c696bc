import type { Core } from "#kernel/core.ts";
import { ownerColumn, type PasskeyOwner } from "#kernel/passkeys/owner.ts";

export interface PasskeyRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** The owner's passkeys, newest first. Their limit bounds the list. */
export async function listPasskeys(
  core: Core,
  owner: PasskeyOwner,
): Promise<readonly PasskeyRecord[]> {
  return core.db.read
    .selectFrom("passkeys")
    .select(["id", "name", "created_at as createdAt", "last_used_at as lastUsedAt"])
    .where(ownerColumn(owner.side), "=", owner.id)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}
