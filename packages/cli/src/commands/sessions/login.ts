import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { keepSignIn, meet, readUsername } from "#steps/sign-in.ts";

export const login = command({
  words: ["login"],
  summary: "Sign in and save the session in a profile.",
  description: [
    "Asks for the password without echo. The session, the address and the trusted certificate are saved in " +
      "a file that only you can read, under XDG_CONFIG_HOME or ~/.config. The password is never saved.",
    "Without --url, signs in to the current profile's service, or to the preview at https://localhost:8443. " +
      "A new address creates a new profile; --profile names it.",
    "If the system does not trust the service's certificate, as with the preview, add --ca or --fingerprint " +
      "the first time. Nothing is sent to an untrusted service.",
  ],
  arguments: [{ name: "username", optional: true, meaning: "Asked for if left out." }],
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
  run: async ({ args, context }) => {
    context.profiles.prepare();
    const client = await meet(context);
    const username = await readUsername(context, args.username);
    const [password = ""] = await context.secrets({ question: "Password" });
    const answer = await client.signIn({ username, password }, context.calling);
    keepSignIn(context, client);
    const { name, profile } = context.target;
    return output(
      { username: answer.username, url: profile.url, profile: name },
      (shown) => `Signed in to ${shown.url} as ${shown.username} (profile ${shown.profile}).`,
    );
  },
});
