import type { TestWebhookAnswer } from "@ironlease/client";
import type { Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";

const columns: readonly Column<TestWebhookAnswer>[] = [
  { field: "id", heading: "ID", cell: (delivery) => delivery.id },
  { field: "event", heading: "EVENT", cell: ({ event }) => event },
  { field: "createdAt", heading: "CREATED", cell: ({ createdAt }) => minuteOf(createdAt) },
  { field: "attempts", heading: "ATTEMPTS", cell: ({ attempts }) => String(attempts) },
  {
    field: "lastStatus",
    heading: "STATUS",
    cell: ({ lastStatus }) => String(lastStatus ?? "none"),
  },
  {
    field: "deliveredAt",
    heading: "DELIVERED",
    cell: ({ deliveredAt }) => (deliveredAt === null ? "no" : minuteOf(deliveredAt)),
  },
];

export const listDeliveries = command({
  words: ["webhook", "deliveries"],
  summary: "List what was sent to a webhook.",
  description: ["The 100 most recent deliveries of the last 30 days, newest first."],
  arguments: [{ name: "webhook", meaning: "Id of the webhook." }],
  columns,
  examples: [
    {
      line: "ironlease webhook deliveries whk_01kfxq8n3ve7wt5c2m9hzr4d6y",
      meaning: "Its latest deliveries.",
    },
  ],
  run: async ({ args: { webhook: id }, context }) => {
    const client = await context.member();
    const answer = await client.listDeliveries({ id }, context.calling);
    return listed(answer, { rows: answer.deliveries, columns }, { none: "No deliveries." });
  },
});
