import { Type } from "typebox";
import { catalogueDocument } from "../../catalogue-document.ts";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";

export const operatorCatalogue = {
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
