import { limits } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";

export interface SavedReply {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** All saved replies, by name. */
export async function listSavedReplies({ db }: Core): Promise<readonly SavedReply[]> {
  return db.read
    .selectFrom("saved_replies")
    .select(["id", "name", "text"])
    .orderBy("name")
    .limit(limits.savedReplies)
    .execute();
}
