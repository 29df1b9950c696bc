import { newSecret } from "@ironlease/command-line/prompts";
import { command } from "#command.ts";
import { output } from "#output/output.ts";

export const password = command({
  words: ["password"],
  summary: "Change the password.",
  description: [
    "Ends every session, this one too, and revokes every API key. The recovery code stays as it is.",
    "With --password-stdin, standard input has the current password in its first line and the new one " +
      "in its second.",
  ],
  secret: true,
  fields: ["changed"],
  examples: [{ line: "ironlease password", meaning: "Change it, being asked for both." }],
  run: async ({ context }) => {
    const client = await context.member();
    const [currentPassword = "", newPassword = ""] = await context.secrets(
      { question: "Current password" },
      newSecret("New password"),
    );
    await client.changePassword({ currentPassword, newPassword }, context.calling);
    return output({ changed: true }, () => [
      "The password is changed. Every session and API key has ended.",
      `Sign in with the new one: ${context.suggest("ironlease login")}`,
    ]);
  },
});
