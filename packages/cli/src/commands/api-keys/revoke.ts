import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { pickOne } from "#steps/pick.ts";

export const revokeKey = command({
  words: ["key", "revoke"],
  summary: "Revoke an API key.",
  description: ["It stops working with its very next request. There is no way back."],
  arguments: [{ name: "key", meaning: "The key's id or its name." }],
  asks: true,
  fields: ["id", "name"],
  examples: [{ line: "ironlease key revoke monitoring", meaning: "Ask, then revoke it." }],
  run: async ({ args, context }) => {
    const client = await context.member();
    const { apiKeys } = await client.listApiKeys(context.calling);
    const where = { noun: "API key", plural: "API keys", list: "ironlease key list" };
    const { id, name, prefix } = pickOne(apiKeys, args.key, (key) => key.name, where);
    await context.confirm({ text: `Revoke the API key ${name} (${prefix}…)?` });
    await client.revokeApiKey({ id }, context.calling);
    return output({ id, name }, (shown) => `The API key ${shown.name} is revoked.`);
  },
});
