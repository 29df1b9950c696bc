import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { keepSignIn, meet, readUsername } from "#steps/sign-in.ts";

export const login = command({
  words: ["login"],
  summary: "Sign in, and keep the session in a profile.",
  description: [
    "Asks for the password without showing it. The session is kept in a file that only you can read, " +
      "under XDG_CONFIG_HOME or ~/.config, together with the address and whom to trust; the password is not.",
    "Without --url it is the current profile's service, or the preview at https://localhost:8443. A new " +
      "address makes a new profile; --profile names it.",
    "A service whose certificate the system does not trust, as the preview's, needs --ca or --fingerprint " +
      "the first time. Nothing is sent to one that is not trusted.",
  ],
  arguments: [{ name: "username", optional: true, meaning: "Asked for when it is left out." }],
  secret: true,
  makesProfile: true,
  fields: ["username", "url", "profile"],
  examples: [
    {
      line: "ironlease login ada --url https://localhost:8443 --ca data/tls/ca.pem",
      meaning: "Sign in to the preview that runs here, trusting the authority it made.",
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
