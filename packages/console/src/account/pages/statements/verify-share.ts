import type { ReadLiabilitiesAnswer } from "@ironlease/client";
import {
  canonicalJson,
  verifyLiabilities,
  verifyStatement,
  type Json,
  type Verified,
} from "@ironlease/statement";
import { client } from "#account/data/client.ts";
import { readStatement } from "./verification.ts";

/** Has no entries yet, but a signed head. */
const future = { from: "9999-01-01" } as const;

/** Verifies that the signed total includes the balance of this account, and returns the account's id. */
export async function verifyShare(liabilities: ReadLiabilitiesAnswer): Promise<Verified<string>> {
  const [keys, source] = await Promise.all([client.listStatementKeys(), readStatement(future)]);
  const statement = await verifyStatement(source, keys);
  if (!statement.ok) return statement;
  const { account } = statement.value.head;
  const file = new TextEncoder().encode(canonicalJson(liabilities as unknown as Json));
  const verified = await verifyLiabilities(file, keys, account);
  return verified.ok ? { ok: true, value: account } : verified;
}
