import { isError, type SessionClient } from "@ironlease/client";
import { command } from "../command-line/command.ts";
import type { Context } from "../context.ts";
import { output } from "../output/output.ts";
import { stateIn } from "../output/style.ts";
import { record } from "../output/table.ts";
import { assets } from "../vocabulary.ts";
import { written } from "../steps/written.ts";

export const withdraw = command({
  words: ["withdraw"],
  summary: "Request a payout of a part of the balance.",
  description: [
    "The sum is held at once and an operator reviews the request: PENDING_REVIEW means that nothing has " +
      "been paid out yet. The service does not report the outcome of the review; the ledger shows a hold " +
      "that was released.",
    "A key that was used is never answered with the first answer again. When an answer was lost and the " +
      "request is sent again with its key and --resend, RECORDED says that the first one had arrived.",
  ],
  options: {
    asset: { value: "ASSET", required: true, choices: assets, meaning: "What to be paid in." },
    to: { value: "ADDRESS", required: true, meaning: "Where it is paid to. Check it twice." },
    usd: { value: "AMOUNT", required: true, meaning: "How much, from 1 to 100000 USD." },
  },
  asks: true,
  keyed: true,
  examples: [
    {
      line: "ironlease withdraw --usd 25 --asset BTC --to bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
      meaning: "Ask, then request it.",
    },
  ],
  run: async ({ options, context }) => {
    const client = await context.member();
    const { asset, to, usd } = options;
    await context.confirm({
      text: `Withdraw ${usd} USD in ${asset} to ${to}? A payment to a wrong address is lost.`,
    });
    const answer = await request(client, context, { asset, destination: to, usd });
    return output(answer, (shown, style) => {
      const isRecorded = shown.status === "RECORDED";
      return [
        record(style, [
          ["Withdrawal", shown.id ?? "on record, but which one cannot be told"],
          ["Status", stateIn(style, shown.status)],
        ]),
        "",
        isRecorded
          ? "It was recorded before under this key, and its first answer was lost. It happened once. ironlease ledger list shows what is held."
          : "Recorded, and the sum is held. Nothing is paid out until an operator has reviewed it.",
      ];
    });
  },
});

async function request(
  client: SessionClient,
  context: Context,
  fields: Parameters<SessionClient["requestWithdrawal"]>[0],
) {
  const key = await context.writing();
  try {
    return written(await client.requestWithdrawal(fields, key), key);
  } catch (error) {
    // Nobody else has this run's own key: something on the way has sent the request twice.
    const isTwice = isError(error, "requestWithdrawal", "idempotency_conflict") && context.isOwnKey;
    if (!isTwice) throw error;
    return written({ status: "RECORDED", id: null } as const, key);
  }
}
