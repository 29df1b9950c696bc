import { Type } from "typebox";
import { catalogueDocument } from "../../catalogue-document.ts";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { nullableText, time } from "../../schemas.ts";
import { asOperator } from "../../operator-fields.ts";

const version = {
  version: Type.Integer({ minimum: 1, examples: [12] }),
  savedAt: time,
  savedBy: nullableText(
    "The operator. Null for a command on the server, and for versions from before they were kept.",
    "alice",
  ),
};

export const operatorCatalogue = {
  listCatalogueVersions: operation({
    ...asOperator("support"),
    tag: "Catalogue editing",
    method: "GET",
    path: "/operator/v1/catalogue/versions",
    summary: "List saved catalogues",
    description: "Newest first, 100 per page.",
    query: Type.Object(
      {
        before: Type.Optional(
          Type.String({
            pattern: "^[1-9][0-9]{0,8}$",
            description: "The last version of the previous page.",
            message: "must be a version number",
            examples: ["12"],
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: {
      200: Type.Object({
        versions: Type.Array(Type.Object(version, { title: "CatalogueVersion" })),
      }),
    },
    errors: [],
  }),
  readCatalogueVersion: operation({
    ...asOperator("support"),
    tag: "Catalogue editing",
    method: "GET",
    path: "/operator/v1/catalogue/versions/{version}",
    summary: "Read a saved catalogue",
    description: "To restore it, send its document to `PUT /operator/v1/catalogue`.",
    answers: {
      200: Type.Object({ ...version, document: catalogueDocument }, { title: "SavedCatalogue" }),
    },
    errors: [],
  }),
  readCatalogueDocument: operation({
    ...asOperator("support"),
    tag: "Catalogue editing",
    method: "GET",
    path: "/operator/v1/catalogue",
    summary: "Read the whole catalogue",
    description: "The document that PUT and `ironleased catalogue import` accept.",
    versioned: true,
    answers: { 200: catalogueDocument },
    errors: [],
  }),
  replaceCatalogue: operation({
    ...asOperator("admin"),
    tag: "Catalogue editing",
    method: "PUT",
    path: "/operator/v1/catalogue",
    summary: "Replace the whole catalogue",
    description:
      "Send the `etag` of the document you edited in `if-match`: if another operator changed the catalogue since, the response is 409 `conflict`. Existing servers keep their prices. Entries missing from the document are no longer offered; their machines, subnets and servers remain.",
    versioned: true,
    bodyBytes: limits.operatorImportBytes,
    body: Type.Object(
      {
        $schema: Type.Optional(
          Type.String({ description: "For editors that validate the file. Not stored." }),
        ),
        ...catalogueDocument.properties,
      },
      { additionalProperties: false },
    ),
    answers: { 200: catalogueDocument },
    errors: ["conflict"],
  }),
};
