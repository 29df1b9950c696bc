import type { ReadLiabilitiesAnswer, ReadStatementAnswer } from "@ironlease/client";
import {
  canonicalJson,
  csvStatement,
  isLiabilitiesFile,
  jsonStatement,
  verifyLiabilities,
  verifyStatement,
  type Json,
  type ProvenLiabilities,
  type Statement,
  type StatementKeys,
  type Verified,
} from "@ironlease/statement";

export { compareStatements, type ProvenLiabilities, type Statement } from "@ironlease/statement";

/** The bytes that the service sends: both formats have one spelling for each statement. */
export async function statementFile(
  { entries, ...frame }: ReadStatementAnswer,
  format: "json" | "csv",
): Promise<string> {
  const write = format === "csv" ? csvStatement : jsonStatement;
  const chunks: string[] = [];
  // The service sends a statement only when all of its entries have a hash.
  const pages = [entries as Statement["entries"]];
  for await (const chunk of write(frame, pages)) chunks.push(chunk);
  return chunks.join("");
}

export function liabilitiesFile(liabilities: ReadLiabilitiesAnswer): string {
  return canonicalJson(liabilities as unknown as Json);
}

export type VerifiedFile =
  | { readonly kind: "statement"; readonly verified: Verified<Statement> }
  | { readonly kind: "liabilities"; readonly verified: Verified<ProvenLiabilities> };

/** Verifies a statement, or a liabilities document for the account that `accountId` finds. */
export async function verifyFile(
  file: Uint8Array,
  keys: StatementKeys,
  accountId: () => Promise<string>,
): Promise<VerifiedFile> {
  if (!isLiabilitiesFile(file)) {
    return { kind: "statement", verified: await verifyStatement(file, keys) };
  }
  const verified = await verifyLiabilities(file, keys, await accountId());
  return { kind: "liabilities", verified };
}
