import type { Style } from "@ironlease/command-line";
import { newSecret } from "@ironlease/command-line/prompts";
import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { record } from "#output/table.ts";
import { meet, readUsername, withoutCode } from "#steps/sign-in.ts";

export const recover = command({
  words: ["recover"],
  summary: "Set a new password with the recovery code.",
  description: [
    "Ends every session and revokes every API key of the account, and gives a new recovery code in " +
      "place of the old one. It does not sign in.",
    "With --password-stdin, standard input has the recovery code in its first line and the new password " +
      "in its second.",
  ],
  arguments: [{ name: "username", optional: true, meaning: "Asked for when it is left out." }],
  secret: true,
  showsOnce: true,
  fields: ["username", "recoveryCode"],
  examples: [{ line: "ironlease recover ada", meaning: "Replace a password that was lost." }],
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
      ...{ secret, done: "The password was replaced", what: "the new recovery code" },
      ifLost: [withoutCode],
    };
    const text = (shown: { readonly recoveryCode: string }, style: Style) => [
      record(style, [["New recovery code", style.yellow(shown.recoveryCode)]]),
      "",
      "Write it down: it is shown this once, and the old one is worth nothing now.",
      `Every session and API key has ended. Sign in with the new password: ${context.suggest("ironlease login")}`,
    ];
    return output({ username, recoveryCode: secret }, text, once);
  },
});
