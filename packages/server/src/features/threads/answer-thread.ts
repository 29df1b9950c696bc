import { audit } from "#kernel/audit.ts";
import type { Keyed, OperatorCall, Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { once, type RecordedAnswer } from "#kernel/idempotency.ts";
import { assignThread, postMessage } from "#kernel/threads.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import { readMessageText } from "./message-text.ts";
import { findThread } from "./operator-thread.ts";
import type { MessageRecord } from "./thread-record.ts";

/** An operator answers any customer's thread. */
export async function answerThread(
  core: Core,
  call: Keyed<OperatorCall>,
  { threadId, ...input }: { readonly threadId: string; readonly text: string },
): Promise<Result<RecordedAnswer<MessageRecord>>> {
  const text = readMessageText(input.text);
  if (!text.ok) return text;
  return core.db.write(async (tx) => {
    const thread = await findThread(tx, threadId);
    if (thread === undefined) return refuse("not_found");
    const step = { tx, core, call };
    const { accountId } = thread;
    return once(step, { threadId, text: text.value }, async () => {
      const body = await answer(step, { threadId, accountId, text: text.value });
      return ok({ status: 201, body });
    });
  });
}

/** Posts an operator's message and audits it. */
export async function answer(
  step: Step<OperatorCall>,
  letter: {
    readonly threadId: string;
    readonly accountId: string;
    readonly text: string;
    readonly subject?: string | undefined;
  },
): Promise<MessageRecord> {
  const { operatorId, username } = step.call.operator;
  const author = { sender: "OPERATOR", operatorId, isAnswer: true } as const;
  const message = await postMessage(step, letter, author);
  await audit(step, "thread.answer", letter.threadId, { messageId: message.id });
  return { ...message, from: author.sender, operator: username, text: letter.text };
}

/** Gives a thread to an operator, or to no one. */
export async function assignTo(
  core: Core,
  call: OperatorCall,
  { threadId, operator }: { readonly threadId: string; readonly operator: string | null },
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    if ((await findThread(tx, threadId)) === undefined) return refuse("not_found");
    const assignee = operator === null ? null : await findOperator({ tx, core, call }, operator);
    if (assignee === undefined) {
      return refuseField("operator", "must be the username of an enabled operator");
    }
    await assignThread(tx, threadId, assignee?.id ?? null);
    await audit({ tx, core, call }, "thread.assign", threadId, { to: assignee?.id ?? null });
    return ok();
  });
}

function findOperator({ tx }: Step<OperatorCall>, username: string) {
  return tx
    .selectFrom("operators")
    .select("id")
    .where("username", "=", username.toLowerCase())
    .where("disabled_at", "is", null)
    .executeTakeFirst();
}
