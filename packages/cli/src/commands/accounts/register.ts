import { newSecret } from "@ironlease/command-line/prompts";
import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { record } from "#output/table.ts";
import { keepSignIn, meet, readUsername, withoutCode } from "#steps/sign-in.ts";

export const register = command({
  words: ["register"],
  summary: "Open an account and sign in.",
  description: [
    "Asks for a password of 10 to 256 characters, twice and without showing it. The answer has the " +
      "recovery code, this once: it is the only way to a new password when the old one is lost.",
    "What ironlease login --help says of addresses and certificates is true here as well.",
  ],
  arguments: [
    {
      name: "username",
      optional: true,
      meaning: "3 to 32 of a-z, 0-9, _ and -, beginning with a letter. Asked for when left out.",
    },
  ],
  secret: true,
  showsOnce: true,
  makesProfile: true,
  fields: ["username", "recoveryCode", "url", "profile"],
  examples: [
    {
      line: "ironlease register ada --ca data/tls/ca.pem",
      meaning: "Open an account at the preview that runs here.",
    },
  ],
  run: async ({ args, context }) => {
    context.profiles.prepare();
    const client = await meet(context);
    const username = await readUsername(context, args.username);
    const [password = ""] = await context.secrets(newSecret("Password"));
    const answer = await client.register({ username, password }, context.calling);
    const { name, profile } = context.target;
    try {
      keepSignIn(context, client);
    } catch {
      // The recovery code is told once, whatever else goes wrong.
      const login = context.suggest("ironlease login");
      context.warn(`The account is there, but the session could not be kept: ${login}`);
    }
    const { recoveryCode } = answer;
    return output(
      { username: answer.username, recoveryCode, url: profile.url, profile: name },
      (shown, style) => [
        record(style, [
          ["Username", shown.username],
          ["Recovery code", style.yellow(shown.recoveryCode)],
        ]),
        "",
        "Write the recovery code down: it is shown this once, and is the only way back in without the password.",
        `You are signed in to ${shown.url} (profile ${shown.profile}).`,
      ],
      {
        secret: recoveryCode,
        done: `The account ${answer.username} was opened`,
        what: "its recovery code",
        ifLost: [withoutCode],
      },
    );
  },
});
