import { readFileSync } from "node:fs";
import type { ListStatementKeysAnswer } from "@ironlease/client";
import { command } from "#command.ts";
import type { Context } from "#context.ts";
import { CommandFailure, usageFailure } from "#failures/failure.ts";
import { unreadableFile } from "#failures/unreadable-file.ts";
import { usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import type { ProvenLiabilities, Statement } from "#steps/statement-file.ts";

export const verifyStatement = command({
  words: ["statement", "verify"],
  summary: "Verify a statement or signed liabilities: hashes, sums and signature.",
  description: [
    "Computes every hash on this machine. Without --keys it asks the service for its public keys. Keep your own copy " +
      "of them, so that you need not trust the service for that either.",
    "With --against it verifies both statements and checks that they tell the same history. If not, the ledger was " +
      "rewritten between them.",
    "Liabilities verify for one account, so that no two customers get the same proof. Without --account it is the one " +
      "that the service names. Your statements show its id.",
  ],
  arguments: [{ name: "file", meaning: "Statement in JSON or CSV, or liabilities." }],
  options: {
    keys: {
      value: "FILE",
      meaning: "Public keys, as /.well-known/ironlease-statement-keys.json has them.",
    },
    against: { value: "FILE", meaning: "Another statement of the account, such as today's." },
    account: { value: "ID", meaning: "Your account id, to verify liabilities." },
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
    {
      line: "ironlease statement verify proof.json --account acc_01kfxq8n3ve7wt5c2m9hzr4d6y",
      meaning: "Verify that the signed total includes your balance.",
    },
  ],
  run: async ({ args: { file }, options, context }) => {
    const { against } = options;
    const files = [file, ...(against === undefined ? [] : [against])];
    const sources = files.map((path) => ({ path, bytes: read(path) }));
    const keys = await keysFrom(options.keys, context);
    // Loaded here, because other commands do not need it.
    const { compareStatements, verifyFile } = await import("#steps/statement-file.ts");
    const statements: Statement[] = [];
    for (const { path, bytes } of sources) {
      const { kind, verified } = await verifyFile(bytes, keys, () =>
        accountIdFrom(options, context),
      );
      if (!verified.ok) throw unverified(`${path} does not verify. ${verified.problem}`);
      if (kind === "statement") statements.push(verified.value);
      else if (against === undefined) return liabilitiesOutput(verified.value);
      else throw usageFailure(`${path} is not a statement. --against compares two statements.`);
    }
    const [statement, other] = statements as [Statement, Statement?];
    const compared = other && compareStatements(statement, other);
    if (compared?.kind === "apart") throw usageFailure(`${compared.problem} Choose other periods.`);
    if (compared?.kind === "different") {
      throw unverified(
        `${files.join(" and ")} contradict each other. ${compared.problem} The ledger was rewritten between them.`,
      );
    }
    return statementOutput(statement, against);
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

function statementOutput(
  { entries, closingBalanceUsd, head, signature }: Statement,
  against: string | undefined,
) {
  const result = { entries: entries.length, closingBalanceUsd, head, keyId: signature.keyId };
  return output(result, (shown) => [
    `Verified the statement of ${shown.head.account}. Entries: ${shown.entries}. Closing balance: ${usdOf(shown.closingBalanceUsd)}.`,
    `Signed at ${shown.head.at} with key ${shown.keyId}.`,
    ...(against === undefined ? [] : [`${against} verifies too and tells the same history.`]),
  ]);
}

function liabilitiesOutput({ proof: { balanceCents }, head, signature }: ProvenLiabilities) {
  const result = { balanceCents, head, keyId: signature.keyId };
  return output(result, (shown) => [
    `Verified the liabilities of ${shown.head.date}. Your balance of ${usdOf(shown.balanceCents / 100)} is part of the total of ${usdOf(shown.head.totalCents / 100)}.`,
    `Signed at ${shown.head.at} with key ${shown.keyId}.`,
  ]);
}

/** A statement names its account. An empty one is enough. */
async function accountIdFrom(
  { account, keys }: { readonly account: string | undefined; readonly keys: string | undefined },
  context: Context,
): Promise<string> {
  if (account !== undefined) return account;
  if (keys !== undefined) {
    throw usageFailure("With --keys, liabilities need --account. Your statements show its id.");
  }
  const client = await context.reader();
  const { head } = await client.readStatement({ to: "2000-01-01" }, context.calling);
  return head.account;
}

function read(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadableFile(path, error);
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
