import { operations } from "@ironlease/contract";
import { openApiDocument } from "@ironlease/reference";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function operatorServiceHandlers(version: string): Handlers<"readOperatorOpenApi"> {
  let document: ReturnType<typeof openApiDocument> | undefined;
  return {
    readOperatorOpenApi: async () => {
      document ??= openApiDocument(version, operations, "operator");
      return ok({ status: 200, body: document });
    },
  };
}
