import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

const nameOr = (name = "") => (name === "" ? "-" : name);

export const listNetwork = command({
  words: ["network", "list"],
  summary: "List IP addresses and their reverse DNS names.",
  description: [
    "Reverse DNS names are requested settings; public DNS may differ. Also works with an API key of scope " +
      "servers.",
  ],
  examples: [{ line: "ironlease network list", meaning: "All addresses of the account." }],
  run: async ({ context }) => {
    const client = await context.reader();
    return output(await client.listAssignments(context.calling), ({ assignments }, style) =>
      assignments.length === 0
        ? "No addresses yet. A server gets them at delivery."
        : table(
            style,
            [
              { heading: "ID", cell: ({ id }) => id },
              {
                heading: "ADDRESS",
                cell: ({ address, prefixLength }) => `${address}/${prefixLength}`,
              },
              { heading: "REVERSE DNS", cell: ({ ptr }) => nameOr(ptr) },
              {
                heading: "PUBLISHED",
                cell: ({ ptrPublished }) => nameOr(ptrPublished?.ptr),
              },
              { heading: "SERVER", cell: ({ serverId }) => serverId },
            ],
            assignments,
          ),
    );
  },
});
