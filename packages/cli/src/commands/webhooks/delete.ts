import { command } from "#command.ts";
import { output } from "#output/output.ts";

export const deleteWebhook = command({
  words: ["webhook", "delete"],
  summary: "Delete a webhook.",
  description: ["Ends its deliveries and deletes their log. This cannot be undone."],
  arguments: [{ name: "webhook", meaning: "Id of the webhook." }],
  asks: true,
  fields: ["id"],
  examples: [
    {
      line: "ironlease webhook delete whk_01kfxq8n3ve7wt5c2m9hzr4d6y",
      meaning: "Confirm, then delete it.",
    },
  ],
  run: async ({ args: { webhook: id }, context }) => {
    const client = await context.member();
    await context.confirm({ text: `Delete the webhook ${id}?` });
    await client.deleteWebhook({ id }, context.calling);
    return output({ id }, (shown) => `Deleted webhook ${shown.id}.`);
  },
});
