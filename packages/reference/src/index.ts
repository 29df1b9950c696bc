export { docsSite } from "./docs/site.ts";
export { configurationFile, type DocumentedSetting } from "./files/configuration.ts";
export { errorsFile } from "./files/errors.ts";
export {
  catalogueSchemaFile,
  openApiFile,
  brandSchemaFile,
  dnsSchemaFile,
  settlementSchemaFile,
} from "./files/json.ts";
export { markdownPage, markdownTable } from "./files/markdown.ts";
export { openApiDocument } from "./openapi/document.ts";
export { plainSchema, type JsonSchema } from "./openapi/schema.ts";
export { sampleOf } from "./samples.ts";
