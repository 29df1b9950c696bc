import { command } from "#command.ts";
import { usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { createFile } from "#steps/create-file.ts";

export const saveStatement = command({
  words: ["statement", "save"],
  summary: "Save a signed statement of your ledger to a file.",
  description: [
    "The file has all entries of the period with their hashes, and the service's signature. Do not edit it: " +
      "verification would fail. Also works with an API key of scope billing.",
  ],
  fields: ["file", "entries", "closingBalanceUsd", "head"],
  arguments: [{ name: "file", meaning: "File to create. It must not exist." }],
  options: {
    from: {
      value: "TIME",
      meaning: "Start of the period, such as 2026-11-01. Default: the first entry.",
    },
    to: { value: "TIME", meaning: "End of the period, exclusive. Default: now." },
    csv: { meaning: "Save CSV instead of JSON." },
  },
  examples: [
    {
      line: "ironlease statement save october.json --from 2026-10-01 --to 2026-11-01",
      meaning: "The statement of October.",
    },
    { line: "ironlease statement save all.csv --csv", meaning: "Everything, for a spreadsheet." },
  ],
  run: async ({ args: { file }, options: { from, to, csv }, context }) => {
    const client = await context.reader();
    const period = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    const statement = await client.readStatement(period, context.calling);
    // Loaded here, because other commands do not need it.
    const { statementFile } = await import("#steps/statement-file.ts");
    createFile(file, await statementFile(statement, csv ? "csv" : "json"));
    const saved = {
      file,
      entries: statement.entries.length,
      closingBalanceUsd: statement.closingBalanceUsd,
      head: statement.head,
    };
    return output(saved, (shown) => [
      `Saved to ${shown.file}. Entries: ${shown.entries}. Closing balance: ${usdOf(shown.closingBalanceUsd)}.`,
      `To verify it: ${context.suggest(`ironlease statement verify ${shown.file}`)}`,
    ]);
  },
});
