import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";
const posting = `${server}/kernel/ledger-posting.ts`;
const tests = ["test/statements.test.ts"];

/** The chain of ledger entries, statements and their verifier. */
export const statementBugs: readonly PlantedBug[] = [
  {
    name: "chain-skips-previous",
    thought: "The entry's own hash is what protects it.",
    file: posting,
    find: "previousHash: before.head,",
    replace: "previousHash: null,",
    tests: [`${server}/kernel/ledger.test.ts`],
  },
  {
    name: "hash-without-previous",
    thought: "The hash before it is not part of the entry, so it is not hashed.",
    file: `${server}/kernel/ledger-entry.ts`,
    find: "canonicalJson(entryOnWire(entry))",
    replace: "canonicalJson({ ...entryOnWire(entry), previousHash: null })",
    tests: [`${server}/kernel/ledger-entry.test.ts`, ...tests],
  },
  {
    name: "head-not-moved",
    thought: "The last entry has the hash, so the balance need not repeat it.",
    file: posting,
    find: "head: hash ?? before.head,",
    replace: "head: before.head,",
    tests: [`${server}/kernel/ledger.test.ts`],
  },
  {
    name: "signature-not-checked",
    thought: "The hashes are right, so the file is what the service sent.",
    file: "packages/statement/src/crypto.ts",
    find: 'return isGood ? undefined : "The signature does not match the head.";',
    replace:
      'return isGood || keyId !== "" ? undefined : "The signature does not match the head.";',
    tests,
  },
  {
    name: "period-moves",
    thought: "Any binary search over sorted entries finds the same place.",
    file: `${server}/kernel/ledger-period.ts`,
    find:
      "  let before = 0;\n" +
      "  for (let step = 2 ** Math.floor(Math.log2(entries)); step >= 1; step /= 2) {\n" +
      "    const sequence = before + step;\n" +
      "    if (sequence > entries) continue;\n" +
      "    const entry = await entryAt(read, { accountId, sequence });\n" +
      "    if (entry !== undefined && entry.createdAt < time) before = sequence;\n" +
      "  }\n",
    replace:
      "  let [before, end] = [0, entries];\n" +
      "  while (before < end) {\n" +
      "    const middle = Math.floor((before + end) / 2);\n" +
      "    const entry = await entryAt(read, { accountId, sequence: middle + 1 });\n" +
      "    if (entry !== undefined && entry.createdAt < time) before = middle + 1;\n" +
      "    else end = middle;\n" +
      "  }\n",
    tests,
  },
  {
    name: "slow-client-fills-memory",
    thought: "Writing each page as soon as it is read is what streaming means.",
    file: `${server}/http/answers/answers.ts`,
    find: "    else await pipeline(bytesOf(chunks), response);\n",
    replace:
      '    else if (contentType === "") await pipeline(bytesOf(chunks), response);\n' +
      "    else {\n      for await (const chunk of chunks) response.write(chunk);\n      response.end();\n    }\n",
    tests: ["test/statement-streams.test.ts", `${server}/http/wire/aborted-requests.test.ts`],
  },
];
