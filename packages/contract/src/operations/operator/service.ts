import { operation } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";
import { openApi } from "../service.ts";

export const operatorService = {
  readOperatorOpenApi: operation({
    ...asOperator("support"),
    access: { kind: "public" },
    tag: "Service",
    method: "GET",
    path: "/operator/openapi.json",
    summary: "Read the operator interface as OpenAPI 3.1",
    answers: { 200: openApi },
    errors: [],
  }),
};
