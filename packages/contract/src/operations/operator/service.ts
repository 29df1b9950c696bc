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
    summary: "Read the OpenAPI 3.1 document",
    answers: { 200: openApi },
    errors: [],
  }),
};
