import { command } from "#command.ts";
import { usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { createFile } from "#steps/create-file.ts";

export const saveLiabilities = command({
  words: ["liabilities", "save"],
  summary: "Save the signed liabilities of a date, with the proof for your balance.",
  description: ["Do not edit the file: verification would fail."],
  fields: ["file", "date", "totalCents", "balanceCents"],
  arguments: [
    { name: "date", meaning: "UTC date, such as 2026-11-15." },
    { name: "file", meaning: "File to create. It must not exist." },
  ],
  examples: [
    {
      line: "ironlease liabilities save 2026-11-15 proof.json",
      meaning: "Save the proof of this date.",
    },
  ],
  run: async ({ args: { date, file }, context }) => {
    const client = await context.member();
    const liabilities = await client.readLiabilities({ date }, context.calling);
    // Loaded here, because other commands do not need it.
    const { liabilitiesFile } = await import("#steps/statement-file.ts");
    createFile(file, liabilitiesFile(liabilities));
    const { totalCents, proof } = liabilities;
    const saved = { file, date, totalCents, balanceCents: proof?.balanceCents ?? null };
    return output(saved, (shown) => [
      `Saved to ${shown.file}. Total: ${usdOf(shown.totalCents / 100)}.`,
      shown.balanceCents === null
        ? "It has no proof for your account, which was opened later, or proofs of this date are no longer kept."
        : `Your balance in it: ${usdOf(shown.balanceCents / 100)}.`,
      `To verify it: ${context.suggest(`ironlease statement verify ${shown.file}`)}`,
    ]);
  },
});
