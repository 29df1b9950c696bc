import { Type } from "typebox";
import { operation } from "../operation.ts";

/** Described no further: OpenAPI's own schema does that. */
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
    summary: "Read the service's health",
    description: "Counts only. No guarantee about an account or a physical server.",
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
    summary: "Read this interface as OpenAPI 3.1",
    extension: false,
    answers: { 200: openApi },
    errors: [],
  }),
};
