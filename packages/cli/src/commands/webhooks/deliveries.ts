import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

export const listDeliveries = command({
  words: ["webhook", "deliveries"],
  summary: "List what was sent to a webhook.",
  description: ["The 100 most recent deliveries of the last 30 days, newest first."],
  arguments: [{ name: "webhook", meaning: "Id of the webhook." }],
  examples: [
    {
      line: "ironlease webhook deliveries whk_01kfxq8n3ve7wt5c2m9hzr4d6y",
      meaning: "Its latest deliveries.",
    },
  ],
  run: async ({ args: { webhook: id }, context }) => {
    const client = await context.member();
    return output(await client.listDeliveries({ id }, context.calling), ({ deliveries }, style) =>
      deliveries.length === 0
        ? "No deliveries."
        : table(
            style,
            [
              { heading: "ID", cell: (delivery) => delivery.id },
              { heading: "EVENT", cell: ({ event }) => event },
              { heading: "CREATED", cell: ({ createdAt }) => minuteOf(createdAt) },
              { heading: "ATTEMPTS", cell: ({ attempts }) => String(attempts) },
              { heading: "STATUS", cell: ({ lastStatus }) => String(lastStatus ?? "none") },
              {
                heading: "DELIVERED",
                cell: ({ deliveredAt }) => (deliveredAt === null ? "no" : minuteOf(deliveredAt)),
              },
            ],
            deliveries,
          ),
    );
  },
});
