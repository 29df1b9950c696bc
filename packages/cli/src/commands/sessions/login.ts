import { isError } from "@ironlease/client";
import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { keepSignIn, meet, readUsername } from "#steps/sign-in.ts";

const authenticationCode = "Authentication code";

export const login = command({
  words: ["login"],
  summary: "Sign in and save the session in a profile.",
  description: [
    "Asks for the password without echo. The session, the address and the trusted certificate are saved in " +
      "a file that only you can read, under XDG_CONFIG_HOME or ~/.config. The password is never saved.",
    "If the account has a second factor, asks for its code. With --password-stdin, standard input may hold the code " +
      "on its second line.",
    "Without --url, signs in to the current profile's service, or to the preview at https://localhost:8443. " +
      "A new address creates a new profile; --profile names it.",
    "If the system does not trust the service's certificate, as with the preview, add --ca or --fingerprint " +
      "the first time. Nothing is sent to an untrusted service.",
  ],
  arguments: [{ name: "username", optional: true, meaning: "Asked for if left out." }],
  options: {
    totp: {
      value: "CODE",
      meaning:
        "Code of the authenticator app, or a recovery code of the second factor. Asked for if left out.",
    },
  },
  secret: true,
  makesProfile: true,
  fields: ["username", "url", "profile"],
  examples: [
    {
      line: "ironlease login ada --url https://localhost:8443 --ca data/tls/ca.pem",
      meaning: "Sign in to the local preview and trust its CA.",
    },
    {
      line: "ironlease login ada --password-stdin < password.txt",
      meaning: "Sign in from a script.",
    },
  ],
  run: async ({ args, options, context }) => {
    context.profiles.prepare();
    const client = await meet(context);
    const username = await readUsername(context, args.username);
    const [password = "", piped] = await context.secrets(
      { question: "Password" },
      { question: authenticationCode, isOptional: true },
    );
    const request = { username, password, totp: options.totp ?? piped };
    const answer = await client.signIn(request, context.calling).catch(async (error: unknown) => {
      const isAsked = isError(error, "signIn", "second_factor_required");
      if (!isAsked || !context.prompter.isPossible) throw error;
      const totp = await context.prompter.askHidden(`${authenticationCode}:`);
      return client.signIn({ ...request, totp }, context.calling);
    });
    keepSignIn(context, client);
    const { name, profile } = context.target;
    return output(
      { username: answer.username, url: profile.url, profile: name },
      (shown) => `Signed in to ${shown.url} as ${shown.username} (profile ${shown.profile}).`,
    );
  },
});
