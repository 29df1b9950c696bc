export { canonicalJson, type Json, type JsonObject } from "./canonical-json.ts";
export { compareStatements, type Comparison, type History } from "./compare-statements.ts";
export { canVerify, signatureProblem } from "./crypto.ts";
export type {
  InclusionProof,
  Liabilities,
  LiabilitiesHead,
  PathStep,
  SumNode,
} from "./liabilities.ts";
export type {
  Signature,
  Statement,
  StatementEntry,
  StatementHead,
  StatementKey,
  StatementKeys,
} from "./statement.ts";
export type { Problem, Verified } from "./verified.ts";
export {
  isLiabilitiesFile,
  verifyLiabilities,
  type ProvenLiabilities,
} from "./verify-liabilities.ts";
export { verifyStatement, type OnProgress } from "./verify-statement.ts";
export { csvStatement, jsonStatement, type StatementFrame } from "./write-statement.ts";
