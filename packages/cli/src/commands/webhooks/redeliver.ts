import { command } from "#command.ts";
import { output } from "#output/output.ts";

export const redeliver = command({
  words: ["webhook", "redeliver"],
  summary: "Send a delivery again.",
  description: ["Sends the same message soon afterwards, whether it was delivered or not."],
  arguments: [
    { name: "webhook", meaning: "Id of the webhook." },
    { name: "delivery", meaning: "Id of the delivery." },
  ],
  fields: ["id", "event", "createdAt", "attempts", "lastStatus", "deliveredAt"],
  examples: [
    {
      line: "ironlease webhook redeliver whk_01kfxq8n3ve7wt5c2m9hzr4d6y whd_01kfxq8n3ve7wt5c2m9hzr4d6y",
      meaning: "Send it once more.",
    },
  ],
  run: async ({ args: { webhook: id, delivery: deliveryId }, context }) => {
    const client = await context.member();
    const delivery = await client.redeliver({ id, deliveryId }, context.calling);
    return output(delivery, (shown) => [
      `Queued ${shown.event} (${shown.id}) again. To see the result:`,
      `ironlease webhook deliveries ${id}`,
    ]);
  },
});
