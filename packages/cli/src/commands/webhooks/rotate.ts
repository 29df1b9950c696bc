import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { shownSecret } from "#steps/shown-secret.ts";

export const rotateWebhook = command({
  words: ["webhook", "rotate"],
  summary: "Replace the secret of a webhook.",
  description: [
    "For 24 hours, messages are signed with both secrets. The new one is shown only once.",
  ],
  arguments: [{ name: "webhook", meaning: "Id of the webhook." }],
  asks: true,
  showsOnce: true,
  fields: ["id", "url", "events", "createdAt", "disabledAt", "secret"],
  examples: [
    {
      line: "ironlease webhook rotate whk_01kfxq8n3ve7wt5c2m9hzr4d6y",
      meaning: "Confirm, then replace it.",
    },
  ],
  run: async ({ args: { webhook: id }, context }) => {
    const client = await context.member();
    await context.confirm({ text: `Replace the secret of the webhook ${id}?` });
    const rotated = await client.rotateWebhookSecret({ id }, context.calling);
    const once = {
      secret: rotated.secret,
      done: `The secret of the webhook ${id} was replaced`,
      what: "the new one",
      ifLost: ["Replace it again:", `ironlease webhook rotate ${id} --yes`],
    };
    return output(rotated, shownSecret, once);
  },
});
