import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { pickOne } from "#steps/pick.ts";

export const revokeKey = command({
  words: ["key", "revoke"],
  summary: "Revoke an API key.",
  description: ["The key stops working at once. This cannot be undone."],
  arguments: [{ name: "key", meaning: "Name or id of the key." }],
  asks: true,
  fields: ["id", "name"],
  examples: [{ line: "ironlease key revoke monitoring", meaning: "Confirm, then revoke it." }],
  run: async ({ args, context }) => {
    const client = await context.member();
    const { apiKeys } = await client.listApiKeys(context.calling);
    const where = { noun: "API key", plural: "API keys", list: "ironlease key list" };
    const { id, name, prefix } = pickOne(apiKeys, args.key, (key) => key.name, where);
    await context.confirm({ text: `Revoke the API key ${name} (${prefix}…)?` });
    await client.revokeApiKey({ id }, context.calling);
    return output({ id, name }, (shown) => `Revoked API key ${shown.name}.`);
  },
});
