import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

export const listNetwork = command({
  words: ["network", "list"],
  summary: "List the assigned addresses and their reverse DNS names.",
  description: [
    "Reverse DNS names are as stored; they say nothing of what public DNS answers. An API key with the " +
      "scope servers is enough.",
  ],
  examples: [{ line: "ironlease network list", meaning: "All addresses of the account." }],
  run: async ({ context }) => {
    const client = await context.reader();
    return output(await client.listAssignments(context.calling), ({ assignments }, style) =>
      assignments.length === 0
        ? "There are no addresses yet: a server gets them when it is delivered."
        : table(
            style,
            [
              { heading: "ID", cell: ({ id }) => id },
              {
                heading: "ADDRESS",
                cell: ({ address, prefixLength }) => `${address}/${prefixLength}`,
              },
              { heading: "REVERSE DNS", cell: ({ ptr }) => (ptr === "" ? "-" : ptr) },
              { heading: "SERVER", cell: ({ serverId }) => serverId },
            ],
            assignments,
          ),
    );
  },
});
