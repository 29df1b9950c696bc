import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { pickOne } from "#steps/pick.ts";

export const removeSshKey = command({
  words: ["ssh-key", "remove"],
  summary: "Remove a saved SSH key.",
  description: ["Servers ordered with it keep it."],
  arguments: [{ name: "key", completes: "ssh-keys", meaning: "Name or id of the key." }],
  asks: true,
  fields: ["id", "name"],
  examples: [{ line: "ironlease ssh-key remove laptop", meaning: "Confirm, then remove it." }],
  run: async ({ args, context }) => {
    const client = await context.member();
    const { sshKeys } = await client.listSshKeys(context.calling);
    const where = {
      noun: "saved SSH key",
      plural: "saved SSH keys",
      list: "ironlease ssh-key list",
    };
    const { id, name, fingerprint } = pickOne(sshKeys, args.key, (key) => key.name, where);
    await context.confirm({ text: `Remove the SSH key ${name} (${fingerprint})?` });
    await client.removeSshKey({ id }, context.calling);
    return output({ id, name }, (shown) => `Removed SSH key ${shown.name}.`);
  },
});
