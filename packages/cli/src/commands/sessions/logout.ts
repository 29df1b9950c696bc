import { command } from "#command.ts";
import { output } from "#output/output.ts";

export const logout = command({
  words: ["logout"],
  summary: "Sign out and delete the saved session.",
  description: ["The profile stays, so the next ironlease login uses the same address."],
  fields: ["url"],
  examples: [{ line: "ironlease logout", meaning: "Sign out of the current profile." }],
  run: async ({ context }) => {
    const client = await context.member();
    const { url } = context.target.profile;
    await client.signOut(context.calling);
    return output({ url }, (shown) => `Signed out of ${shown.url}.`);
  },
});
