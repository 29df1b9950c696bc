import { catalogueDocument, operations, type Operation } from "@ironlease/contract";
import { openApiDocument } from "#openapi/document.ts";
import { plainSchema } from "#openapi/schema.ts";
import { notice } from "./markdown.ts";

/** `openapi.json`. JSON has no comments, so the notice is the first member, on the first line. */
export function openApiFile(version: string, listener: Operation["listener"]): string {
  const document = openApiDocument(version, operations, listener);
  const text = JSON.stringify({ "x-generated": notice, ...document }, null, 2);
  return `${text.replace("{\n  ", "{ ")}\n`;
}

/** `catalogue.schema.json`: editors validate a catalogue whose `$schema` names this file. */
export function catalogueSchemaFile(): string {
  const { properties, ...keywords } = plainSchema(catalogueDocument);
  const schema = {
    // The newest draft that editors support well. The keywords used here mean the same in all drafts.
    $schema: "http://json-schema.org/draft-07/schema#",
    $comment: notice,
    title: "The catalogue, as `ironleased catalogue import` takes it",
    ...keywords,
    properties: { $schema: { type: "string" }, ...(properties as object) },
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
