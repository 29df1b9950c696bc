import type { Keyed, OperatorCall } from "#kernel/call.ts";
import { lockOpenAccount } from "#kernel/closed-account.ts";
import type { Core } from "#kernel/core.ts";
import { once, type RecordedAnswer } from "#kernel/idempotency.ts";
import {
  openThread,
  serverTopic,
  threadOf,
  withdrawalsTopic,
  type Topic,
} from "#kernel/threads.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import { answer } from "./answer-thread.ts";
import { readMessageText, readSubject } from "#kernel/message-text.ts";
import { findThread, type OperatorThreadDetail } from "./operator-thread.ts";

const defaultSubject = "Message from support";

interface About {
  readonly accountId?: string | undefined;
  readonly serverId?: string | undefined;
  readonly workId?: string | undefined;
}

/** An operator writes to a customer about an account, a server or a work item. */
export async function writeToCustomer(
  core: Core,
  call: Keyed<OperatorCall>,
  input: About & { readonly subject?: string | undefined; readonly text: string },
): Promise<Result<RecordedAnswer<OperatorThreadDetail>>> {
  const text = readMessageText(input.text);
  if (!text.ok) return text;
  const subject = input.subject === undefined ? ok(undefined) : readSubject(input.subject);
  if (!subject.ok) return subject;
  const { accountId, serverId, workId } = input;
  const named = [accountId, serverId, workId].filter((id) => id !== undefined);
  const [about] = named;
  if (about === undefined || named.length > 1) {
    return refuseField("accountId", "name exactly one of accountId, serverId and workId");
  }
  const request = { about, subject: subject.value ?? null, text: text.value };
  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    const found = await findSubject(tx, input);
    if (found === undefined) return refuse("not_found");
    const open = await lockOpenAccount(tx, found.accountId);
    if (!open.ok) return open;
    return once<OperatorThreadDetail>(step, request, async () => {
      const threadId =
        "topic" in found
          ? await threadOf(step, found, "OPERATOR")
          : await openThread(step, { ...found, subject: defaultSubject }, "OPERATOR");
      const letter = { threadId, accountId: found.accountId, text: text.value };
      const message = await answer(step, { ...letter, subject: subject.value });
      const thread = await findThread(tx, threadId);
      if (thread === undefined) return refuse("not_found");
      return ok({ status: 201, body: { thread, messages: [message] }, reference: threadId });
    });
  });
}

/** The topic of a server or work item, or an account for which a new thread opens. */
async function findSubject(
  tx: Tx,
  { accountId, serverId, workId }: About,
): Promise<Topic | { readonly accountId: string } | undefined> {
  if (serverId !== undefined) return serverTopic(tx, serverId);
  if (accountId !== undefined) {
    const account = tx.selectFrom("accounts").select("id as accountId");
    return account.where("id", "=", accountId).executeTakeFirst();
  }
  const work = await tx
    .selectFrom("work")
    .select(["account_id as accountId", "server_id as serverId"])
    .where("id", "=", workId ?? "")
    .executeTakeFirst();
  if (work === undefined) return undefined;
  return work.serverId === null ? withdrawalsTopic(work.accountId) : serverTopic(tx, work.serverId);
}
