import { command } from "#command.ts";
import { output } from "#output/output.ts";

export const logout = command({
  words: ["logout"],
  summary: "End the session and forget it.",
  description: ["The profile stays, so that the next ironlease login knows the address."],
  fields: ["url"],
  examples: [{ line: "ironlease logout", meaning: "End the session of the current profile." }],
  run: async ({ context }) => {
    const client = await context.member();
    const { url } = context.target.profile;
    await client.signOut(context.calling);
    return output({ url }, (shown) => `Signed out of ${shown.url}.`);
  },
});
