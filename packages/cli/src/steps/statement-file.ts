import type { ReadStatementAnswer } from "@ironlease/client";
import { csvStatement, jsonStatement, type Statement } from "@ironlease/statement";

export { compareStatements, verifyStatement, type Statement } from "@ironlease/statement";

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
