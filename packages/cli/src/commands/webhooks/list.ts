import type { Webhook } from "@ironlease/client";
import type { Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";
import { eventsText } from "#steps/webhook-events.ts";

const columns: readonly Column<Webhook>[] = [
  { field: "id", heading: "ID", cell: ({ id }) => id },
  { field: "url", heading: "URL", cell: ({ url }) => url },
  { field: "events", heading: "EVENTS", cell: ({ events }) => eventsText(events) },
  { field: "createdAt", heading: "CREATED", cell: ({ createdAt }) => minuteOf(createdAt) },
  {
    field: "disabledAt",
    heading: "DISABLED",
    cell: ({ disabledAt }) => (disabledAt === null ? "no" : minuteOf(disabledAt)),
  },
];

export const listWebhooks = command({
  words: ["webhook", "list"],
  summary: "List webhooks.",
  description: ["The secrets are shown only when a webhook is created or its secret is replaced."],
  columns,
  examples: [{ line: "ironlease webhook list", meaning: "All webhooks." }],
  run: async ({ context }) => {
    const client = await context.member();
    const answer = await client.listWebhooks(context.calling);
    return listed(answer, { rows: answer.webhooks, columns }, { none: "No webhooks." });
  },
});
