import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";
import { eventsText } from "#steps/webhook-events.ts";

export const listWebhooks = command({
  words: ["webhook", "list"],
  summary: "List webhooks.",
  description: ["The secrets are shown only when a webhook is created or its secret is replaced."],
  examples: [{ line: "ironlease webhook list", meaning: "All webhooks." }],
  run: async ({ context }) => {
    const client = await context.member();
    return output(await client.listWebhooks(context.calling), ({ webhooks }, style) =>
      webhooks.length === 0
        ? "No webhooks."
        : table(
            style,
            [
              { heading: "ID", cell: ({ id }) => id },
              { heading: "URL", cell: ({ url }) => url },
              { heading: "EVENTS", cell: ({ events }) => eventsText(events) },
              { heading: "CREATED", cell: ({ createdAt }) => minuteOf(createdAt) },
              {
                heading: "DISABLED",
                cell: ({ disabledAt }) => (disabledAt === null ? "no" : minuteOf(disabledAt)),
              },
            ],
            webhooks,
          ),
    );
  },
});
