import { limits } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { readMessageText } from "#kernel/message-text.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import type { Tx } from "#ports/db.ts";
import type { Refusal, Result } from "#ports/result.ts";
import type { SavedReply } from "./list-saved-replies.ts";

type Words = Pick<SavedReply, "name" | "text">;

const violations: Readonly<Record<string, Refusal>> = {
  saved_replies_name_unique: {
    code: "conflict",
    message: "Another reply has this name. Choose another name.",
  },
  saved_replies_number_unique: {
    code: "conflict",
    message: "Another operator saved a reply at the same moment. Try again.",
  },
};

/** Saves a reply that every operator can start from. */
export async function addSavedReply(
  core: Core,
  call: OperatorCall,
  input: Words,
): Promise<Result<SavedReply>> {
  const words = readWords(input);
  if (!words.ok) return words;
  const { name, text } = words.value;
  return core.db.write(async (tx) => {
    const number = await nextNumber(tx);
    if (!number.ok) return number;
    const id = core.ids.next("savedReply");
    await tx.insertInto("saved_replies").values({ id, number: number.value, name, text }).execute();
    await audit({ tx, core, call }, "saved_reply.add", id, { name });
    return ok({ id, name, text });
  }, violations);
}

export async function changeSavedReply(
  core: Core,
  call: OperatorCall,
  { id, ...input }: SavedReply,
): Promise<Result<SavedReply>> {
  const words = readWords(input);
  if (!words.ok) return words;
  const { name, text } = words.value;
  return core.db.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("saved_replies")
      .set({ name, text })
      .where("id", "=", id)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return refuse("not_found");
    await audit({ tx, core, call }, "saved_reply.change", id, { name });
    return ok({ id, name, text });
  }, violations);
}

export async function removeSavedReply(
  core: Core,
  call: OperatorCall,
  id: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    const removed = await tx
      .deleteFrom("saved_replies")
      .where("id", "=", id)
      .returning("name")
      .executeTakeFirst();
    if (removed === undefined) return refuse("not_found");
    await audit({ tx, core, call }, "saved_reply.remove", id, { name: removed.name });
    return ok();
  });
}

function readWords(input: Words): Result<Words> {
  const name = input.name.trim();
  if (name === "") return refuseField("name", "must not be empty");
  const text = readMessageText(input.text);
  return text.ok ? ok({ name, text: text.value }) : text;
}

/** Reads the number before it counts: an operator who saves a reply in between takes that number. */
async function nextNumber(tx: Tx): Promise<Result<number>> {
  const { last } = await tx
    .selectFrom("saved_replies")
    .select(({ fn }) => fn.max<number | null>("number").as("last"))
    .executeTakeFirstOrThrow();
  const { saved } = await tx
    .selectFrom("saved_replies")
    .select(({ fn }) => fn.countAll<number>().as("saved"))
    .executeTakeFirstOrThrow();
  if (saved >= limits.savedReplies) {
    return refuse("limit_reached", {
      message: `There are ${limits.savedReplies} saved replies. Delete one first.`,
    });
  }
  return ok((last ?? 0) + 1);
}
