import { operation } from "../../operation.ts";
import { openApi } from "../service.ts";
import { asOperator } from "./fields.ts";

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
