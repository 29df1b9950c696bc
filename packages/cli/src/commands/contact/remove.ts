import { command } from "#command.ts";
import { output } from "#output/output.ts";

export const removeContact = command({
  words: ["contact", "remove"],
  summary: "Remove the account's e-mail address.",
  description: ["The address gets one last mail about it."],
  asks: true,
  fields: ["email"],
  examples: [{ line: "ironlease contact remove", meaning: "Confirm, then remove it." }],
  run: async ({ context }) => {
    const client = await context.member();
    const { email, pending } = await client.readContact(context.calling);
    const address = email ?? pending?.email ?? null;
    await context.confirm({ text: `Remove ${address ?? "the e-mail address"}?` });
    await client.removeContact(context.calling);
    return output({ email: address }, (shown) => `Removed ${shown.email ?? "the address"}.`);
  },
});
