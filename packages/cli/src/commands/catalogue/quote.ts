import { record } from "@ironlease/command-line";
import { command } from "#command.ts";
import { usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { readOffer, requiredOfferOptions } from "#steps/offer.ts";

export const quote = command({
  words: ["quote"],
  summary: "Get the current price of an order.",
  description: ["Nothing is reserved, and prices may change before you order. No sign-in needed."],
  options: requiredOfferOptions,
  examples: [
    {
      line: "ironlease quote --config metal-s --region fra --os debian-13 --term monthly",
      meaning: "Price of one server for a month.",
    },
  ],
  run: async ({ options, context }) => {
    const client = await context.anyone();
    const offer = readOffer(options);
    return output(await client.readQuote(offer, context.calling), (shown, style) =>
      record(style, [
        ["Unit price", usdOf(shown.unitUsd)],
        ["Discount", shown.discountPercent === 0 ? undefined : `${shown.discountPercent} %`],
        ["Total", style.bold(usdOf(shown.totalUsd))],
        ["Available", shown.available ? style.green("yes") : style.red("not enough")],
      ]),
    );
  },
});
