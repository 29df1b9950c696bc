import { closeThread, readUpTo } from "#features/threads/end-thread.ts";
import { listThreads } from "#features/threads/list-threads.ts";
import { startThread } from "#features/threads/open-thread.ts";
import { readThread } from "#features/threads/read-thread.ts";
import { sendMessage } from "#features/threads/send-message.ts";
import type { MessageRecord, ThreadDetail, ThreadRecord } from "#features/threads/thread-record.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

type Threads =
  | "listThreads"
  | "openThread"
  | "readThread"
  | "sendMessage"
  | "closeThread"
  | "markThreadRead";

export function threadHandlers(core: Core): Handlers<Threads> {
  return {
    listThreads: async ({ account }) => {
      const threads = await listThreads(core, account.accountId);
      return ok({ status: 200, body: { threads: threads.map(threadOnWire) } });
    },
    openThread: async ({ core, caller, body }) => {
      const result = await startThread(core, caller, body);
      if (!result.ok) return result;
      const { body: detail, replayed } = result.value;
      return ok({ status: 201, body: detailOnWire(detail), replayed });
    },
    readThread: async ({ account, parameters }) => {
      const result = await readThread(core, account.accountId, parameters.id);
      return result.ok ? ok({ status: 200, body: detailOnWire(result.value) }) : result;
    },
    sendMessage: async ({ core, caller, parameters, body }) => {
      const result = await sendMessage(core, caller, { ...body, threadId: parameters.id });
      if (!result.ok) return result;
      const { body: message, replayed } = result.value;
      return ok({ status: 201, body: messageOnWire(message), replayed });
    },
    closeThread: async ({ core, caller, parameters }) => {
      const result = await closeThread(core, caller, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
    markThreadRead: async ({ core, caller, parameters }) => {
      const result = await readUpTo(core, caller, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
  };
}

/** The fields that customers and operators see. */
export function threadOnWire(thread: ThreadRecord) {
  return {
    id: thread.id,
    subject: thread.subject,
    serverId: thread.serverId,
    state: thread.state,
    createdAt: isoTime(thread.createdAt),
    lastMessageAt: isoTime(thread.lastMessageAt),
    unread: thread.unread,
  };
}

/** Without the operator's name. */
export function messageOnWire({ id, from, createdAt, text, sealed }: MessageRecord) {
  const message = { id, from, createdAt: isoTime(createdAt), text };
  if (sealed === undefined) return { ...message, sealed: null };
  return { ...message, sealed: { ...sealed, expiresAt: isoTimeOrNull(sealed.expiresAt) } };
}

function detailOnWire({ thread, messages }: ThreadDetail) {
  return { ...threadOnWire(thread), messages: messages.map(messageOnWire) };
}
