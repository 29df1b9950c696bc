import {
  brandFile,
  catalogueDocument,
  dnsFile,
  operations,
  settlementFile,
  type Operation,
} from "@ironlease/contract";
import { openApiDocument } from "#openapi/document.ts";
import type { TSchema } from "typebox";
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
  return schemaFile(catalogueDocument, "The catalogue, as `ironleased catalogue import` takes it");
}

/** `settlement.schema.json`, for the file that `IRONLEASE_SETTLEMENT` names. */
export function settlementSchemaFile(): string {
  return schemaFile(settlementFile, "The settlement file that `IRONLEASE_SETTLEMENT` names");
}

/** `brand.schema.json`, for the file that `IRONLEASE_BRAND` names. */
export function brandSchemaFile(): string {
  return schemaFile(brandFile, "The brand file that `IRONLEASE_BRAND` names");
}

/** `dns.schema.json`, for the file that `IRONLEASE_DNS` names. */
export function dnsSchemaFile(): string {
  return schemaFile(dnsFile, "The DNS file that `IRONLEASE_DNS` names");
}

function schemaFile(document: TSchema, title: string): string {
  const { properties, ...keywords } = plainSchema(document);
  const schema = {
    // The newest draft that editors support well. The keywords used here mean the same in all drafts.
    $schema: "http://json-schema.org/draft-07/schema#",
    $comment: notice,
    title,
    ...keywords,
    properties: { $schema: { type: "string" }, ...(properties as object) },
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
