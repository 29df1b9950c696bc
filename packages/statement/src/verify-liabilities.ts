import { canonicalJson, type Json } from "./canonical-json.ts";
import { sha256, signatureProblem } from "./crypto.ts";
import type { InclusionProof, Liabilities, SumNode } from "./liabilities.ts";
import type { StatementKeys } from "./statement.ts";
import { bad, fits, parseJson, textOf, type Verified } from "./verified.ts";

export interface ProvenLiabilities extends Liabilities {
  readonly proof: InclusionProof;
}

/** More siblings than any tree can have. */
const maxPath = 64;

const shapes = {
  liabilities: {
    date: "string",
    rootHash: "string",
    totalCents: "number",
    head: "object",
    signature: "object",
    proof: "object?",
  },
  head: { date: "string", rootHash: "string", totalCents: "number", at: "string" },
  signature: { keyId: "string", value: "string" },
  proof: { salt: "string", account: "string", balanceCents: "number", path: "object" },
  step: { side: "string", hash: "string", sumCents: "number" },
} as const;

/**
 * Verifies that the balance of this account is part of the total that the service has signed. The account id must come
 * from the customer: otherwise the service could prove one balance to two customers. The file must be canonical JSON, so
 * that no byte of it can change unnoticed.
 */
export async function verifyLiabilities(
  file: Uint8Array,
  keys: StatementKeys,
  accountId: string,
): Promise<Verified<ProvenLiabilities>> {
  const liabilities = parse(file);
  if (liabilities === undefined || !isLiabilities(liabilities)) {
    return bad("The file is not a liabilities document, or it was changed after it was saved.");
  }
  const problem =
    headProblem(liabilities) ??
    (await signatureProblem(liabilities.head as unknown as Json, liabilities.signature, keys));
  if (problem !== undefined) return bad(problem);
  const { proof } = liabilities;
  if (proof === null) {
    return bad(
      `The total of ${liabilities.date} is signed, but the file has no proof for this account.`,
    );
  }
  const unproven = await proofProblem(liabilities, proof, accountId);
  return unproven === undefined ? { ok: true, value: { ...liabilities, proof } } : bad(unproven);
}

/** Whether the bytes are a liabilities document rather than a statement. Says nothing about whether it verifies. */
export function isLiabilitiesFile(file: Uint8Array): boolean {
  return fits(parse(file), shapes.liabilities);
}

function parse(file: Uint8Array): Liabilities | undefined {
  const text = textOf(file);
  return text === undefined ? undefined : (parseJson(text) as Liabilities | undefined);
}

function isLiabilities(value: Liabilities): boolean {
  const { proof } = value;
  return (
    fits(value, shapes.liabilities) &&
    fits(value.head, shapes.head) &&
    fits(value.signature, shapes.signature) &&
    (proof === null || isProof(proof))
  );
}

function isProof(proof: InclusionProof): boolean {
  return (
    fits(proof, shapes.proof) &&
    Array.isArray(proof.path) &&
    proof.path.length <= maxPath &&
    proof.path.every((step) => fits(step, shapes.step))
  );
}

function headProblem({ date, rootHash, totalCents, head }: Liabilities): string | undefined {
  const isSame = head.date === date && head.rootHash === rootHash && head.totalCents === totalCents;
  if (!isSame) return "The signed head is for another tree.";
  return head.at.startsWith(`${date}T`) ? undefined : "The balances were read on another date.";
}

async function proofProblem(
  { rootHash, totalCents }: Liabilities,
  { salt, account, balanceCents, path }: InclusionProof,
  accountId: string,
): Promise<string | undefined> {
  if ((await sha256(`${salt}:${accountId}`)) !== account) {
    return `The proof is for another account than ${accountId}.`;
  }
  let node: SumNode = { hash: await tagged(0, { account, balanceCents }), sumCents: balanceCents };
  for (const { side, hash, sumCents } of path) {
    if (side !== "LEFT" && side !== "RIGHT") return "A step of the path has no side.";
    // A negative sum would hide what other customers are owed.
    if (!isCents(sumCents)) return "A sum in the proof is not a whole number of cents.";
    const sibling = { hash, sumCents };
    const [left, right] = side === "LEFT" ? [sibling, node] : [node, sibling];
    const children = { left: { ...left }, right: { ...right } };
    node = { hash: await tagged(1, children), sumCents: left.sumCents + right.sumCents };
  }
  if (!isCents(balanceCents) || !isCents(node.sumCents)) {
    return "A sum in the proof is not a whole number of cents.";
  }
  return node.hash === rootHash && node.sumCents === totalCents
    ? undefined
    : "The path does not lead from the balance to the root and the total.";
}

/** From zero to the largest whole number that is exact. Sums only grow, so the last one bounds those before it. */
function isCents(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Leaves and inner nodes have different tags, so that neither can be passed off as the other. */
function tagged(tag: 0 | 1, value: Json): Promise<string> {
  const text = new TextEncoder().encode(canonicalJson(value));
  const bytes = new Uint8Array(text.length + 1);
  bytes[0] = tag;
  bytes.set(text, 1);
  return sha256(bytes);
}
