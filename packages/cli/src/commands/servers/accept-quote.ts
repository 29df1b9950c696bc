import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { findServerId, serverArgument } from "#steps/find-server.ts";
import { replayLines, written } from "#steps/written.ts";

export const acceptQuote = command({
  words: ["server", "accept-quote"],
  summary: "Accept the operator's quote for DDoS mode ADVANCED.",
  description: [
    "Nothing is charged yet. When an operator applies ADVANCED, the rest of the current term is charged, and " +
      "every renewal includes the price until BASELINE is active again. `ironlease server ddos` shows the " +
      "quote. To decline it, request BASELINE.",
  ],
  arguments: [serverArgument],
  options: {
    usd: { value: "AMOUNT", required: true, meaning: "Price per term in USD, exactly as quoted." },
  },
  asks: true,
  keyed: true,
  fields: ["status", "mode", "quoteRequired", "idempotencyKey", "isReplay"],
  examples: [
    {
      line: "ironlease server accept-quote web1.example.com --usd 50",
      meaning: "Confirm, then accept it.",
    },
  ],
  run: async ({ args, options, context }) => {
    const client = await context.member();
    const { usd } = options;
    const id = await findServerId(client, args.server, context);
    await context.confirm({
      text: `Accept ${usd} USD per term for ADVANCED protection of ${args.server}? Every renewal then includes it.`,
    });
    const key = await context.writing();
    const answer = await client.acceptQuote({ id, usd }, key);
    return output(written(answer, key), (shown, style) => [
      `${stateIn(style, shown.status)}  ${shown.mode}`,
      "Accepted. An operator will apply it, and the rest of this term is charged then.",
      ...replayLines(shown),
    ]);
  },
});
