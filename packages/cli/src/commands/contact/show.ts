import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { contactText } from "#steps/contact.ts";

export const showContact = command({
  words: ["contact", "show"],
  summary: "Show the account's e-mail address.",
  examples: [
    { line: "ironlease contact show", meaning: "The address and what is not sent to it." },
  ],
  run: async ({ context }) => {
    const client = await context.member();
    return output(await client.readContact(context.calling), contactText);
  },
});
