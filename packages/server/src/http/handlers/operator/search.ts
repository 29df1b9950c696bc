import { search } from "#features/search/search.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function searchHandlers(core: Core): Handlers<"search"> {
  return {
    search: async ({ query }) => {
      const results = await search(core, query.query ?? "");
      return ok({ status: 200, body: { results: [...results] } });
    },
  };
}
