import { operations } from "@ironlease/contract";
import { openApiDocument } from "@ironlease/reference";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function operatorServiceHandlers(version: string): Handlers<"readOperatorOpenApi"> {
  const document = openApiDocument(version, operations, "operator");
  return { readOperatorOpenApi: async () => ok({ status: 200, body: document }) };
}
