export { operationsAnswering } from "./docs/answering.ts";
export { docsSite } from "./docs/site.ts";
export { openApiDocument } from "./openapi/document.ts";
export { plainSchema, type JsonSchema } from "./openapi/schema.ts";
export { sampleOf } from "./samples.ts";
