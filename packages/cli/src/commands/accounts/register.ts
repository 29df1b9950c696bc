import { record } from "@ironlease/command-line";
import { newSecret } from "@ironlease/command-line/prompts";
import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { keepSignIn, meet, readUsername, withoutCode } from "#steps/sign-in.ts";

export const register = command({
  words: ["register"],
  summary: "Create an account and sign in.",
  description: [
    "Asks twice for a password of 10 to 256 characters, without echo. Prints the recovery code once: it " +
      "is the only way to reset a lost password.",
    "For addresses and certificates, see ironlease login --help.",
  ],
  arguments: [
    {
      name: "username",
      optional: true,
      meaning:
        "3 to 32 characters: a-z, 0-9, _ and -, starting with a letter. Asked for if left out.",
    },
  ],
  secret: true,
  showsOnce: true,
  makesProfile: true,
  fields: ["username", "recoveryCode", "url", "profile"],
  examples: [
    {
      line: "ironlease register ada --ca data/tls/ca.pem",
      meaning: "Create an account at the local preview.",
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
      // Whatever else goes wrong, the recovery code must be shown: there is no second chance.
      const login = context.suggest("ironlease login");
      context.warn(
        `The account was created, but the session could not be saved. Sign in: ${login}`,
      );
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
        "Write down the recovery code. It is shown only once, and nothing else resets a lost password.",
        `Signed in to ${shown.url} (profile ${shown.profile}).`,
      ],
      {
        secret: recoveryCode,
        done: `The account ${answer.username} was created`,
        what: "its recovery code",
        ifLost: [withoutCode],
      },
    );
  },
});
