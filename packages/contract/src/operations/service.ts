import { Type } from "typebox";
import { operation } from "../operation.ts";

/** The OpenAPI specification describes the rest. */
export const openApi = Type.Object(
  {},
  {
    additionalProperties: true,
    examples: [{ openapi: "3.1.0", info: { title: "Ironlease", version: "0.1.0" }, paths: {} }],
  },
);

const ofService = {
  listener: "account",
  tag: "Service",
  idempotency: "none",
  access: { kind: "public" },
} as const;

export const service = {
  readHealth: operation({
    ...ofService,
    method: "GET",
    path: "/api/health",
    summary: "Check the health of the service",
    description: "Reports catalogue counts. Says nothing about accounts or physical servers.",
    extension: false,
    answers: {
      200: Type.Object(
        {
          status: Type.Literal("ok"),
          version: Type.String(),
          catalogue: Type.Object(
            {
              configurations: Type.Integer(),
              regions: Type.Integer(),
              operatingSystems: Type.Integer(),
            },
            { title: "CatalogueSize" },
          ),
        },
        { title: "Health" },
      ),
    },
    errors: [],
  }),
  readOpenApi: operation({
    ...ofService,
    method: "GET",
    path: "/api/openapi.json",
    summary: "Read the OpenAPI 3.1 document",
    extension: false,
    answers: { 200: openApi },
    errors: [],
  }),
};
