import { record } from "@ironlease/command-line";
import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { assets } from "#vocabulary.ts";

export const addWithdrawalAddress = command({
  words: ["withdrawal-address", "add"],
  summary: "Save a withdrawal address.",
  description: [
    "While withdrawals are locked, they go only to addresses that were saved at least 48 hours ago.",
  ],
  options: {
    asset: { value: "ASSET", required: true, choices: assets, meaning: "Asset to be paid in." },
    to: { value: "ADDRESS", required: true, meaning: "Destination address. Check it twice." },
    label: { value: "TEXT", meaning: "Your own name for it, up to 64 characters. Default: none." },
  },
  fields: ["id", "asset", "destination", "label", "createdAt", "usableAt"],
  examples: [
    {
      line: "ironlease withdrawal-address add --asset BTC --to bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq --label cold",
      meaning: "Save a wallet's address.",
    },
  ],
  run: async ({ options, context }) => {
    const client = await context.member();
    const { asset, to: destination, label = "" } = options;
    const request = { asset, destination, label };
    return output(await client.addWithdrawalAddress(request, context.calling), (shown, style) =>
      record(style, [
        ["Id", shown.id],
        ["Asset", shown.asset],
        ["Address", shown.destination],
        ["Usable while locked", `from ${minuteOf(shown.usableAt)}`],
      ]),
    );
  },
});
