import type { WithdrawalAddress } from "@ironlease/client";
import type { Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";

const columns: readonly Column<WithdrawalAddress>[] = [
  { field: "id", heading: "ID", cell: ({ id }) => id },
  { field: "asset", heading: "ASSET", cell: ({ asset }) => asset },
  { field: "label", heading: "LABEL", cell: ({ label }) => label },
  { field: "destination", heading: "ADDRESS", cell: ({ destination }) => destination },
  { field: "usableAt", heading: "USABLE WHILE LOCKED", cell: ({ usableAt }) => minuteOf(usableAt) },
];

export const listWithdrawalAddresses = command({
  words: ["withdrawal-address", "list"],
  summary: "List saved withdrawal addresses.",
  columns,
  examples: [{ line: "ironlease withdrawal-address list", meaning: "All saved addresses." }],
  run: async ({ context }) => {
    const client = await context.member();
    const answer = await client.listWithdrawalAddresses(context.calling);
    return listed(
      answer,
      { rows: answer.withdrawalAddresses, columns },
      { none: "No saved withdrawal addresses." },
    );
  },
});
