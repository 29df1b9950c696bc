import { findAssignee } from "#kernel/access/find-assignee.ts";
import { audit } from "#kernel/audit.ts";
import type { Keyed, OperatorCall, Step } from "#kernel/call.ts";
import { lockOpenAccount } from "#kernel/closed-account.ts";
import type { Core } from "#kernel/core.ts";
import { once, type RecordedAnswer } from "#kernel/idempotency.ts";
import { shownAt, type SealedText } from "#kernel/sealed-texts.ts";
import { assignThread, postMessage } from "#kernel/threads.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import { readMessageText } from "#kernel/message-text.ts";
import {
  checkEnvelope,
  contentOf,
  noticeOf,
  readEnvelope,
  type Envelope,
  type SealedInput,
} from "./sealed-message.ts";
import { findThread } from "./operator-thread.ts";
import type { MessageRecord } from "./thread-record.ts";

interface AnswerInput {
  readonly text?: string | undefined;
  readonly sealed?: SealedInput | undefined;
}

/** An operator answers any customer's thread, in plain text or sealed. */
export async function answerThread(
  core: Core,
  call: Keyed<OperatorCall>,
  { threadId, ...input }: AnswerInput & { readonly threadId: string },
): Promise<Result<RecordedAnswer<MessageRecord>>> {
  const content = readContent(input);
  if (!content.ok) return content;
  const { text, envelope } = content.value;
  const request =
    envelope === undefined ? { threadId, text } : { threadId, ...contentOf(envelope) };
  return core.db.write(async (tx) => {
    const thread = await findThread(tx, threadId);
    if (thread === undefined) return refuse("not_found");
    const open = await lockOpenAccount(tx, thread.accountId);
    if (!open.ok) return open;
    const step = { tx, core, call };
    const answered = await once(step, request, async () => {
      const checked = envelope === undefined ? ok() : await checkEnvelope(step, thread, envelope);
      if (!checked.ok) return checked;
      const { accountId } = thread;
      const body = await answer(step, { threadId, accountId, text, sealed: envelope });
      return ok({ status: 201, body, reference: body.id });
    });
    if (!answered.ok || envelope === undefined) return answered;
    // The key keeps its answer for ever, so the ciphertext is not part of it. Equal requests have the same one.
    const sealed = shownAt(core.clock.now(), envelope);
    return ok({ ...answered.value, body: { ...answered.value.body, sealed } });
  });
}

function readContent({ text, sealed }: AnswerInput): Result<{
  readonly text: string;
  readonly envelope?: Envelope;
}> {
  if ((text === undefined) === (sealed === undefined)) {
    return refuseField("text", "cannot be combined with sealed, and one of them is needed");
  }
  if (sealed === undefined) {
    const plain = readMessageText(text ?? "");
    return plain.ok ? ok({ text: plain.value }) : plain;
  }
  const envelope = readEnvelope(sealed);
  return envelope.ok ? ok({ text: noticeOf(envelope.value), envelope: envelope.value }) : envelope;
}

/** Posts an operator's message and audits it. */
export async function answer(
  step: Step<OperatorCall>,
  letter: {
    readonly threadId: string;
    readonly accountId: string;
    readonly text: string;
    readonly sealed?: SealedText | undefined;
    readonly subject?: string | undefined;
  },
): Promise<MessageRecord> {
  const { operatorId, username } = step.call.operator;
  const author = { sender: "OPERATOR", operatorId, isAnswer: true } as const;
  const message = await postMessage(step, letter, author);
  const { threadId, sealed } = letter;
  const sealedTo = sealed === undefined ? {} : { sealedTo: sealed.fingerprint };
  await audit(step, "thread.answer", threadId, { messageId: message.id, ...sealedTo });
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
    const assignee = await findAssignee(tx, operator);
    if (!assignee.ok) return assignee;
    const to = assignee.value?.operatorId ?? null;
    await assignThread(tx, threadId, to);
    await audit({ tx, core, call }, "thread.assign", threadId, { to });
    return ok();
  });
}
