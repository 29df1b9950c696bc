import { command } from "../command-line/command.ts";
import { usdOf } from "../output/formats.ts";
import { output } from "../output/output.ts";
import { record } from "../output/table.ts";

export const whoami = command({
  words: ["whoami"],
  summary: "Say who is signed in where, and the balance.",
  examples: [{ line: "ironlease whoami", meaning: "Check the session of the current profile." }],
  run: async ({ context }) => {
    const client = await context.member();
    const { username, balanceUsd } = await client.readAccount(context.calling);
    const { name, profile } = context.target;
    return output({ username, balanceUsd, url: profile.url, profile: name }, (shown, style) =>
      record(style, [
        ["Username", shown.username],
        ["Balance", usdOf(shown.balanceUsd)],
        ["Service", shown.url],
        ["Profile", shown.profile],
      ]),
    );
  },
});
