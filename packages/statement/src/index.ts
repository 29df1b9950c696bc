export { canonicalJson, type Json, type JsonObject } from "./canonical-json.ts";
export type {
  Signature,
  Statement,
  StatementEntry,
  StatementHead,
  StatementKey,
  StatementKeys,
} from "./statement.ts";
export { verifyStatement, type Verified } from "./verify-statement.ts";
export { csvStatement, jsonStatement, type StatementFrame } from "./write-statement.ts";
