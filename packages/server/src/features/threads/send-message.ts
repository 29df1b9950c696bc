import { lockAccount } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall, Keyed, Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { once, type Effect, type RecordedAnswer } from "#kernel/idempotency.ts";
import { postMessage } from "#kernel/threads.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { checkOpenThreads, takeMessage } from "./message-limits.ts";
import { readMessageText } from "#kernel/message-text.ts";
import type { MessageRecord } from "./thread-record.ts";

interface Request extends Record<string, string> {
  readonly threadId: string;
  readonly text: string;
}

/** Sends a message in one of the account's own threads. A closed thread opens again, if the limit allows it. */
export async function sendMessage(
  core: Core,
  call: Keyed<CustomerCall>,
  { threadId, ...input }: { readonly threadId: string; readonly text: string },
): Promise<Result<RecordedAnswer<MessageRecord>>> {
  const text = readMessageText(input.text);
  if (!text.ok) return text;
  const request: Request = { threadId, text: text.value };
  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    await lockAccount(tx, call.accountId);
    const thread = await tx
      .selectFrom("threads")
      .select(["state", "topic", "opened_by"])
      .where("id", "=", threadId)
      .where("account_id", "=", call.accountId)
      .executeTakeFirst();
    if (thread === undefined) return refuse("not_found");
    const { state, topic, opened_by: openedBy } = thread;
    const reopens = state === "CLOSED" && topic === null && openedBy === "CUSTOMER";
    return once(step, request, () => send(step, request, reopens));
  });
}

async function send(
  step: Step<CustomerCall>,
  { threadId, text }: Request,
  reopens: boolean,
): Promise<Result<Effect<MessageRecord>>> {
  const isWithin = reopens ? await checkOpenThreads(step) : ok();
  if (!isWithin.ok) return isWithin;
  const taken = await takeMessage(step);
  if (!taken.ok) return taken;
  const { accountId } = step.call;
  const author = { sender: "CUSTOMER" } as const;
  const message = await postMessage(step, { threadId, accountId, text }, author);
  await audit(step, "thread.send_message", threadId, { messageId: message.id });
  const body = { ...message, from: author.sender, operator: null, text };
  return ok({ status: 201, body, reference: message.id });
}
