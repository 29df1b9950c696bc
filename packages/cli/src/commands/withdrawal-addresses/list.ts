import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

export const listWithdrawalAddresses = command({
  words: ["withdrawal-address", "list"],
  summary: "List saved withdrawal addresses.",
  examples: [{ line: "ironlease withdrawal-address list", meaning: "All saved addresses." }],
  run: async ({ context }) => {
    const client = await context.member();
    const listed = await client.listWithdrawalAddresses(context.calling);
    return output(listed, ({ withdrawalAddresses }, style) =>
      withdrawalAddresses.length === 0
        ? "No saved withdrawal addresses."
        : table(
            style,
            [
              { heading: "ID", cell: ({ id }) => id },
              { heading: "ASSET", cell: ({ asset }) => asset },
              { heading: "LABEL", cell: ({ label }) => label },
              { heading: "ADDRESS", cell: ({ destination }) => destination },
              { heading: "USABLE WHILE LOCKED", cell: ({ usableAt }) => minuteOf(usableAt) },
            ],
            withdrawalAddresses,
          ),
    );
  },
});
