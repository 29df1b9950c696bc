import { readFileSync } from "node:fs";
import type { ListStatementKeysAnswer } from "@ironlease/client";
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
  ],
  arguments: [{ name: "file", meaning: "Statement in JSON or CSV." }],
  options: {
    keys: {
      value: "FILE",
      meaning: "Public keys, as /.well-known/ironlease-statement-keys.json has them.",
    },
  },
  examples: [
    { line: "ironlease statement verify october.json", meaning: "Verify with the service's keys." },
    {
      line: "ironlease statement verify october.json --keys keys.json",
      meaning: "Verify with your copy of the keys, without a connection.",
    },
  ],
  run: async ({ args: { file }, options, context }) => {
    const bytes = read(file);
    const keys = await keysFrom(options.keys, context);
    // Loaded here, because other commands do not need it.
    const { verifyFile } = await import("#steps/statement-file.ts");
    const verified = await verifyFile(bytes, keys);
    if (!verified.ok) {
      throw new CommandFailure({
        exit: "unverified",
        code: "statement_invalid",
        message: `${file} does not verify. ${verified.problem}`,
        advice: ["Keep the file. If it came from the service like this, it is evidence."],
      });
    }
    const { entries, closingBalanceUsd, head, signature } = verified.value;
    const result = { entries: entries.length, closingBalanceUsd, head, keyId: signature.keyId };
    return output(result, (shown) => [
      `Verified the statement of ${shown.head.account}. Entries: ${shown.entries}. Closing balance: ${usdOf(shown.closingBalanceUsd)}.`,
      `Signed at ${shown.head.at} with key ${shown.keyId}.`,
    ]);
  },
});

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
