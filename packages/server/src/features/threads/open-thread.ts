import { lockAccount } from "#kernel/access/accounts.ts";
import { lockServer } from "#kernel/account-servers.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall, Keyed, Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { once, type Effect, type RecordedAnswer } from "#kernel/idempotency.ts";
import { openThread, postMessage, serverTopic, threadOf } from "#kernel/threads.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { checkOpenThreads, takeMessage } from "./message-limits.ts";
import { readMessageText, readSubject } from "#kernel/message-text.ts";
import { findOwnThread } from "./read-thread.ts";
import type { ThreadDetail } from "./thread-record.ts";

interface Request extends Record<string, string | null> {
  readonly subject: string;
  readonly text: string;
  readonly serverId: string | null;
}

/**
 * Opens a thread, or continues the server's own one under a new subject. The answer contains the new message only,
 * because the key keeps it for ever.
 */
export async function startThread(
  core: Core,
  call: Keyed<CustomerCall>,
  input: {
    readonly subject: string;
    readonly text: string;
    readonly serverId?: string | undefined;
  },
): Promise<Result<RecordedAnswer<ThreadDetail>>> {
  const subject = readSubject(input.subject);
  if (!subject.ok) return subject;
  const text = readMessageText(input.text);
  if (!text.ok) return text;
  const { serverId = null } = input;
  const request: Request = { subject: subject.value, text: text.value, serverId };
  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    await lockAccount(tx, call.accountId);
    if (serverId !== null) {
      const server = await lockServer(tx, call.accountId, serverId);
      if (!server.ok) return server;
    }
    return once(step, request, () => start(step, request));
  });
}

async function start(
  step: Step<CustomerCall>,
  { subject, text, serverId }: Request,
): Promise<Result<Effect<ThreadDetail>>> {
  const { accountId } = step.call;
  const isWithin = serverId === null ? await checkOpenThreads(step) : ok();
  if (!isWithin.ok) return isWithin;
  const taken = await takeMessage(step);
  if (!taken.ok) return taken;

  const author = { sender: "CUSTOMER" } as const;
  const topic = serverId === null ? undefined : await serverTopic(step.tx, serverId);
  const threadId =
    topic === undefined
      ? await openThread(step, { accountId, subject }, author.sender)
      : await threadOf(step, topic, author.sender);
  const message = await postMessage(step, { threadId, accountId, text, subject }, author);
  await audit(step, "thread.open", threadId, { messageId: message.id, serverId });
  const thread = await findOwnThread(step.tx, accountId, threadId);
  if (thread === undefined) return refuse("not_found");
  const body = { thread, messages: [{ ...message, from: author.sender, operator: null, text }] };
  return ok({ status: 201, body, reference: thread.id });
}
