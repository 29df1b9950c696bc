import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

export const listKeys = command({
  words: ["key", "list"],
  summary: "List API keys.",
  description: ["The keys themselves are shown only when they are created."],
  examples: [{ line: "ironlease key list", meaning: "All active keys." }],
  run: async ({ context }) => {
    const client = await context.member();
    return output(await client.listApiKeys(context.calling), ({ apiKeys }, style) =>
      apiKeys.length === 0
        ? "No API keys."
        : table(
            style,
            [
              { heading: "ID", cell: ({ id }) => id },
              { heading: "NAME", cell: ({ name }) => name },
              { heading: "SCOPE", cell: ({ scope }) => scope },
              { heading: "PREFIX", cell: ({ prefix }) => prefix },
              { heading: "CREATED", cell: ({ createdAt }) => minuteOf(createdAt) },
              {
                heading: "EXPIRES",
                cell: ({ expiresAt }) => (expiresAt === null ? "never" : minuteOf(expiresAt)),
              },
              {
                heading: "NETWORKS",
                cell: ({ allowedNetworks }) => allowedNetworks?.join(" ") ?? "any",
              },
              {
                heading: "LAST USED",
                cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : minuteOf(lastUsedAt)),
              },
            ],
            apiKeys,
          ),
    );
  },
});
