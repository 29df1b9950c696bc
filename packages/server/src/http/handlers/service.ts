import type { Core } from "../../kernel/core.ts";
import { ok } from "../../ports/result.ts";
import type { Handlers } from "../bind.ts";
import { openApiDocument } from "../openapi.ts";

export function serviceHandlers(
  core: Core,
  version: string,
): Handlers<"readHealth" | "readOpenApi"> {
  const document = openApiDocument(version);
  return {
    readHealth: async () => {
      await core.db.ping();
      const catalogue = { configurations: 0, regions: 0, operatingSystems: 0 };
      return ok({ status: 200, body: { status: "ok", version, catalogue } });
    },
    readOpenApi: async () => ok({ status: 200, body: document }),
  };
}
