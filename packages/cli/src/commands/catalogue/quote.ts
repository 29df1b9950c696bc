import { command } from "#command.ts";
import { usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { record } from "#output/table.ts";
import { offerOptions, readOffer } from "#steps/offer.ts";

export const quote = command({
  words: ["quote"],
  summary: "Ask what the service would charge now.",
  description: ["Nothing is reserved: an order is charged what it costs then. Needs no sign-in."],
  options: offerOptions,
  examples: [
    {
      line: "ironlease quote --config metal-s --region fra --os debian-13 --term monthly",
      meaning: "The price of one server for a month.",
    },
  ],
  run: async ({ options, context }) => {
    const client = await context.anyone();
    const offer = readOffer(options);
    return output(await client.readQuote(offer, context.calling), (shown, style) =>
      record(style, [
        ["One server", usdOf(shown.unitUsd)],
        ["Discount", shown.discountPercent === 0 ? undefined : `${shown.discountPercent} %`],
        ["Total", style.bold(usdOf(shown.totalUsd))],
        ["Free now", shown.available ? style.green("yes") : style.red("not that many")],
      ]),
    );
  },
});
