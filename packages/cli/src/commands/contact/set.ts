import { command } from "#command.ts";
import { usageFailure } from "#failures/failure.ts";
import { output } from "#output/output.ts";
import { contactFields, contactText } from "#steps/contact.ts";
import { mailKinds } from "#vocabulary.ts";

export const setContact = command({
  words: ["contact", "set"],
  summary: "Set the account's e-mail address.",
  description: [
    "Sends a code to a new address. Enter it with ironlease contact confirm. Until then the old address stays in use.",
  ],
  arguments: [{ name: "email", meaning: "E-mail address." }],
  options: {
    unsubscribe: {
      value: "KINDS",
      meaning: `Kinds of mail not to send, comma-separated, or none: ${mailKinds.join(", ").toLowerCase()}. Default: as before.`,
    },
  },
  fields: contactFields,
  examples: [
    { line: "ironlease contact set ada@example.com", meaning: "Send a code to this address." },
    {
      line: "ironlease contact set ada@example.com --unsubscribe messages,sign_ins",
      meaning: "Also stop two kinds of mail.",
    },
  ],
  run: async ({ args, options, context }) => {
    const client = await context.member();
    const unsubscribed =
      options.unsubscribe === undefined ? undefined : readKinds(options.unsubscribe);
    const request = { email: args.email, unsubscribed };
    return output(await client.setContact(request, context.calling), (shown, style) => [
      contactText(shown, style),
      ...(shown.pending === null
        ? []
        : ["", "Read the code in the mail, then run:", "ironlease contact confirm CODE"]),
    ]);
  },
});

function readKinds(text: string): (typeof mailKinds)[number][] {
  if (text.toLowerCase() === "none") return [];
  return text.split(",").map((typed) => {
    const kind = mailKinds.find((known) => known === typed.trim().toUpperCase());
    if (kind !== undefined) return kind;
    throw usageFailure(
      `--unsubscribe must be none, or some of ${mailKinds.join(", ").toLowerCase()}, separated by commas.`,
    );
  });
}
