import { isError } from "@ironlease/client";
import { command } from "#command.ts";
import { CommandFailure } from "#failures/failure.ts";
import { output } from "#output/output.ts";
import { contactFields, contactText } from "#steps/contact.ts";

export const confirmContact = command({
  words: ["contact", "confirm"],
  summary: "Confirm the e-mail address with its code.",
  arguments: [{ name: "code", meaning: "Code from the mail." }],
  fields: contactFields,
  examples: [
    { line: "ironlease contact confirm 4GXKD-92MTN", meaning: "Start to receive e-mail." },
  ],
  run: async ({ args, context }) => {
    const client = await context.member();
    try {
      return output(await client.confirmContact({ code: args.code }, context.calling), contactText);
    } catch (error) {
      if (!isError(error, "confirmContact", "invalid_credentials")) throw error;
      // The service's advice for wrong credentials is about passwords.
      throw new CommandFailure({
        exit: "refused",
        code: error.code,
        message: error.message,
        advice: ["To get another code:", "ironlease contact set EMAIL"],
        requestId: error.requestId,
      });
    }
  },
});
