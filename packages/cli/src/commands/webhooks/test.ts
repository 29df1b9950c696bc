import { command } from "#command.ts";
import { output } from "#output/output.ts";

export const testWebhook = command({
  words: ["webhook", "test"],
  summary: "Send a test event to a webhook.",
  description: ["The event is webhook.test. It is sent soon afterwards."],
  arguments: [{ name: "webhook", meaning: "Id of the webhook." }],
  fields: ["id", "event", "createdAt", "attempts", "lastStatus", "deliveredAt"],
  examples: [
    {
      line: "ironlease webhook test whk_01kfxq8n3ve7wt5c2m9hzr4d6y",
      meaning: "Send webhook.test.",
    },
  ],
  run: async ({ args: { webhook: id }, context }) => {
    const client = await context.member();
    const delivery = await client.testWebhook({ id }, context.calling);
    return output(delivery, (shown) => [
      `Queued ${shown.event} as ${shown.id}. To see the result:`,
      `ironlease webhook deliveries ${id}`,
    ]);
  },
});
