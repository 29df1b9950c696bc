import { record } from "@ironlease/command-line";
import { command } from "#command.ts";
import { stopOf, usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";

export const whoami = command({
  words: ["whoami"],
  summary: "Show the account, the service and the balance.",
  examples: [{ line: "ironlease whoami", meaning: "Check the current profile's session." }],
  run: async ({ context }) => {
    const client = await context.member();
    const { csrfToken: _, ...account } = await client.readAccount(context.calling);
    const { name, profile } = context.target;
    return output({ ...account, url: profile.url, profile: name }, (shown, style) =>
      record(style, [
        ["Username", shown.username],
        ["Balance", usdOf(shown.balanceUsd)],
        ["Second factor", shown.secondFactor ?? "off"],
        ["Frozen", stopOf(shown.frozen)],
        ["Service", shown.url],
        ["Profile", shown.profile],
      ]),
    );
  },
});
