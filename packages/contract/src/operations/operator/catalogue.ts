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
    description: "The document that PUT and `ironleased catalogue import` take.",
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
      "With the `etag` of what was read in `if-match`, somebody else's change in between is 409 `conflict` and never overwritten. Prices of living servers stay. What the document no longer has is no longer sold; machines, subnets and servers of it stay.",
    versioned: true,
    bodyBytes: limits.operatorImportBytes,
    body: Type.Object(
      {
        $schema: Type.Optional(
          Type.String({ description: "As in a file that an editor checks. It is not kept." }),
        ),
        ...catalogueDocument.properties,
      },
      { additionalProperties: false },
    ),
    answers: { 200: catalogueDocument },
    errors: ["conflict"],
  }),
};
