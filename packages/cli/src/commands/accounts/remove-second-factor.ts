import { command } from "#command.ts";
import { output } from "#output/output.ts";

export const removeSecondFactor = command({
  words: ["second-factor", "remove"],
  summary: "Turn the second factor off.",
  description: [
    "From then on, the password is enough to sign in. Needs a sign-in that is not older than 15 minutes.",
  ],
  asks: true,
  fields: ["removed"],
  examples: [{ line: "ironlease second-factor remove", meaning: "Confirm, then turn it off." }],
  run: async ({ context }) => {
    const client = await context.member();
    await context.confirm({ text: "Turn off the second factor?" });
    await client.removeSecondFactor(context.calling);
    return output({ removed: true }, () => "The second factor is off.");
  },
});
