import { listSavedReplies } from "#features/saved-replies/list-saved-replies.ts";
import {
  addSavedReply,
  changeSavedReply,
  removeSavedReply,
} from "#features/saved-replies/save-reply.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

type SavedReplies = "listSavedReplies" | "addSavedReply" | "changeSavedReply" | "removeSavedReply";

export function savedReplyHandlers(core: Core): Handlers<SavedReplies> {
  return {
    listSavedReplies: async () =>
      ok({ status: 200, body: { savedReplies: [...(await listSavedReplies(core))] } }),
    addSavedReply: async ({ core, caller, body }) => {
      const result = await addSavedReply(core, caller, body);
      return result.ok ? ok({ status: 201, body: result.value }) : result;
    },
    changeSavedReply: async ({ core, caller, parameters, body }) => {
      const result = await changeSavedReply(core, caller, { ...body, id: parameters.id });
      return result.ok ? ok({ status: 200, body: result.value }) : result;
    },
    removeSavedReply: async ({ core, caller, parameters }) => {
      const result = await removeSavedReply(core, caller, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
  };
}
