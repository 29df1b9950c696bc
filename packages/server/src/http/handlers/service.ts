import { openApiDocument } from "@ironlease/reference";
import { currentCatalogue } from "#kernel/catalogue.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function serviceHandlers(
  core: Core,
  version: string,
): Handlers<"readHealth" | "readOpenApi"> {
  let document: ReturnType<typeof openApiDocument> | undefined;
  return {
    readHealth: async () => {
      // This read also checks the database: it throws if the database does not answer.
      const { document: offered } = await currentCatalogue(core.db.read, core);
      const catalogue = {
        configurations: offered.configurations.length,
        regions: offered.regions.length,
        operatingSystems: offered.operatingSystems.length,
      };
      return ok({ status: 200, body: { status: "ok", version, catalogue } });
    },
    readOpenApi: async () => {
      document ??= openApiDocument(version);
      return ok({ status: 200, body: document });
    },
  };
}
