import { readFileSync } from "node:fs";
import type { ListStatementKeysAnswer } from "@ironlease/client";
import type { Statement } from "#steps/statement-file.ts";
import { command } from "#command.ts";
import type { Context } from "#context.ts";
import { CommandFailure, usageFailure } from "#failures/failure.ts";
import { usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";

export const verifyStatement = command({
  words: ["statement", "verify"],
  summary: "Verify a statement: its chain of hashes, its balances and its signature.",
  description: [
    "Computes every hash on this machine. Without --keys it asks the service for its public keys. Keep your own copy " +
      "of them, so that you need not trust the service for that either.",
    "With --against it verifies both statements and checks that they tell the same history. If not, the ledger was " +
      "rewritten between them.",
  ],
  arguments: [{ name: "file", meaning: "Statement in JSON or CSV." }],
  options: {
    keys: {
      value: "FILE",
      meaning: "Public keys, as /.well-known/ironlease-statement-keys.json has them.",
    },
    against: { value: "FILE", meaning: "Another statement of the account, such as today's." },
  },
  examples: [
    { line: "ironlease statement verify october.json", meaning: "Verify with the service's keys." },
    {
      line: "ironlease statement verify october.json --keys keys.json",
      meaning: "Verify with your copy of the keys, without a connection.",
    },
    {
      line: "ironlease statement verify october.json --against today.json",
      meaning: "Check that nothing up to October was changed since.",
    },
  ],
  run: async ({ args: { file }, options, context }) => {
    const { against } = options;
    const files = [file, ...(against === undefined ? [] : [against])];
    const sources = files.map((path) => ({ path, bytes: read(path) }));
    const keys = await keysFrom(options.keys, context);
    // Loaded here, because other commands do not need it.
    const { compareStatements, verifyStatement: verify } = await import("#steps/statement-file.ts");
    const verified: Statement[] = [];
    for (const { path, bytes } of sources) {
      const result = await verify(bytes, keys);
      if (!result.ok) throw unverified(`${path} does not verify. ${result.problem}`);
      verified.push(result.value);
    }
    const [statement, other] = verified as [Statement, Statement?];
    const compared = other && compareStatements(statement, other);
    if (compared?.kind === "apart") throw usageFailure(`${compared.problem} Choose other periods.`);
    if (compared?.kind === "different") {
      throw unverified(
        `${files.join(" and ")} contradict each other. ${compared.problem} The ledger was rewritten between them.`,
      );
    }
    const { entries, closingBalanceUsd, head, signature } = statement;
    const result = { entries: entries.length, closingBalanceUsd, head, keyId: signature.keyId };
    return output(result, (shown) => [
      `Verified the statement of ${shown.head.account}. Entries: ${shown.entries}. Closing balance: ${usdOf(shown.closingBalanceUsd)}.`,
      `Signed at ${shown.head.at} with key ${shown.keyId}.`,
      ...(against === undefined ? [] : [`${against} verifies too and tells the same history.`]),
    ]);
  },
});

function unverified(message: string): CommandFailure {
  return new CommandFailure({
    exit: "unverified",
    code: "statement_invalid",
    message,
    advice: ["Keep the file. If it came from the service like this, it is evidence."],
  });
}

function read(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    throw usageFailure(`${path} cannot be read.`);
  }
}

async function keysFrom(
  path: string | undefined,
  context: Context,
): Promise<ListStatementKeysAnswer> {
  if (path === undefined) {
    const client = await context.anyone();
    return client.listStatementKeys(context.calling);
  }
  try {
    const { keys } = JSON.parse(Buffer.from(read(path)).toString()) as ListStatementKeysAnswer;
    if (Array.isArray(keys)) return { keys };
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
  }
  throw usageFailure(`${path} is not a list of statement keys.`);
}
