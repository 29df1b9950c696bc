import { type Style, record } from "@ironlease/command-line";
import { newSecret } from "@ironlease/command-line/prompts";
import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { meet, readUsername, withoutCode } from "#steps/sign-in.ts";

export const recover = command({
  words: ["recover"],
  summary: "Reset the password with the recovery code.",
  description: [
    "Ends every session, revokes every API key, and replaces the recovery code. It does not sign in.",
    "With --password-stdin, standard input holds the recovery code on its first line and the new password " +
      "on its second.",
  ],
  arguments: [{ name: "username", optional: true, meaning: "Asked for if left out." }],
  secret: true,
  showsOnce: true,
  fields: ["username", "recoveryCode"],
  examples: [{ line: "ironlease recover ada", meaning: "Reset a lost password." }],
  run: async ({ args, context }) => {
    const client = await meet(context);
    const username = await readUsername(context, args.username);
    const [recoveryCode = "", newPassword = ""] = await context.secrets(
      { question: "Recovery code" },
      newSecret("New password"),
    );
    const request = { username, recoveryCode, newPassword };
    const answer = await client.recover(request, context.calling);
    const { recoveryCode: secret } = answer;
    const once = {
      secret,
      done: "The password was reset",
      what: "the new recovery code",
      ifLost: [withoutCode],
    };
    const text = (shown: { readonly recoveryCode: string }, style: Style) => [
      record(style, [["New recovery code", style.yellow(shown.recoveryCode)]]),
      "",
      "Write it down. It is shown only once, and the old code no longer works.",
      `All sessions and API keys have ended. Sign in with the new password: ${context.suggest("ironlease login")}`,
    ];
    return output({ username, recoveryCode: secret }, text, once);
  },
});
