import { answerThread, assignTo } from "#features/threads/answer-thread.ts";
import { closeForCustomer } from "#features/threads/end-thread.ts";
import {
  listAllThreads,
  readAnyThread,
  type OperatorThread,
  type OperatorThreadDetail,
} from "#features/threads/operator-thread.ts";
import type { MessageRecord } from "#features/threads/thread-record.ts";
import { writeToCustomer } from "#features/threads/write-to-customer.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { messageOnWire, threadOnWire } from "#http/handlers/threads.ts";

type Threads =
  | "listAllThreads"
  | "readAnyThread"
  | "writeToCustomer"
  | "answerThread"
  | "assignThread"
  | "closeAnyThread";

export function operatorThreadHandlers(core: Core): Handlers<Threads> {
  return {
    listAllThreads: async ({ query }) => {
      const threads = await listAllThreads(core, query);
      return ok({ status: 200, body: { threads: threads.map(operatorThreadOnWire) } });
    },
    readAnyThread: async ({ parameters }) => {
      const result = await readAnyThread(core, parameters.id);
      if (!result.ok) return result;
      const { sshKeys, ...detail } = result.value;
      return ok({ status: 200, body: { ...detailOnWire(detail), sshKeys: [...sshKeys] } });
    },
    writeToCustomer: async ({ core, caller, body }) => {
      const result = await writeToCustomer(core, caller, body);
      if (!result.ok) return result;
      const { body: detail, replayed } = result.value;
      return ok({ status: 201, body: detailOnWire(detail), replayed });
    },
    answerThread: async ({ core, caller, parameters, body }) => {
      const result = await answerThread(core, caller, { ...body, threadId: parameters.id });
      if (!result.ok) return result;
      const { body: message, replayed } = result.value;
      return ok({ status: 201, body: operatorMessageOnWire(message), replayed });
    },
    assignThread: async ({ core, caller, parameters, body }) => {
      const result = await assignTo(core, caller, { ...body, threadId: parameters.id });
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
    closeAnyThread: async ({ core, caller, parameters }) => {
      const result = await closeForCustomer(core, caller, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
  };
}

function operatorThreadOnWire(thread: OperatorThread) {
  const { accountId, username, regionId, assignedTo } = thread;
  return { ...threadOnWire(thread), accountId, username, regionId, assignedTo };
}

function operatorMessageOnWire(message: MessageRecord) {
  return { ...messageOnWire(message), operator: message.operator };
}

function detailOnWire({ thread, messages }: OperatorThreadDetail) {
  return { ...operatorThreadOnWire(thread), messages: messages.map(operatorMessageOnWire) };
}
