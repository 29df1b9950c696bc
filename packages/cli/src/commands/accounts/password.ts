import { newSecret } from "@ironlease/command-line/prompts";
import { command } from "#command.ts";
import { output } from "#output/output.ts";

export const password = command({
  words: ["password"],
  summary: "Change the password.",
  description: [
    "Ends every session, including this one, and revokes every API key. The recovery code stays valid.",
    "With --password-stdin, standard input holds the current password on its first line and the new one " +
      "on its second.",
  ],
  secret: true,
  fields: ["changed"],
  examples: [{ line: "ironlease password", meaning: "Asks for both passwords." }],
  run: async ({ context }) => {
    const client = await context.member();
    const [currentPassword = "", newPassword = ""] = await context.secrets(
      { question: "Current password" },
      newSecret("New password"),
    );
    await client.changePassword({ currentPassword, newPassword }, context.calling);
    return output({ changed: true }, () => [
      "Password changed. All sessions and API keys have ended.",
      `Sign in with the new password: ${context.suggest("ironlease login")}`,
    ]);
  },
});
