import type { ApiKey } from "@ironlease/client";
import type { Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";

const columns: readonly Column<ApiKey>[] = [
  { field: "id", heading: "ID", cell: ({ id }) => id },
  { field: "name", heading: "NAME", cell: ({ name }) => name },
  { field: "scope", heading: "SCOPE", cell: ({ scope }) => scope },
  { field: "prefix", heading: "PREFIX", cell: ({ prefix }) => prefix },
  { field: "createdAt", heading: "CREATED", cell: ({ createdAt }) => minuteOf(createdAt) },
  {
    field: "expiresAt",
    heading: "EXPIRES",
    cell: ({ expiresAt }) => (expiresAt === null ? "never" : minuteOf(expiresAt)),
  },
  {
    field: "allowedNetworks",
    heading: "NETWORKS",
    cell: ({ allowedNetworks }) => allowedNetworks?.join(" ") ?? "any",
  },
  {
    field: "lastUsedAt",
    heading: "LAST USED",
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : minuteOf(lastUsedAt)),
  },
];

export const listKeys = command({
  words: ["key", "list"],
  summary: "List API keys.",
  description: ["The keys themselves are shown only when they are created."],
  columns,
  examples: [{ line: "ironlease key list", meaning: "All active keys." }],
  run: async ({ context }) => {
    const client = await context.member();
    const answer = await client.listApiKeys(context.calling);
    return listed(answer, { rows: answer.apiKeys, columns }, { none: "No API keys." });
  },
});
