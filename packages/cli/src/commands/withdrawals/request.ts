import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { record } from "#output/table.ts";
import { requestWithdrawal } from "#steps/request-withdrawal.ts";
import { assets } from "#vocabulary.ts";

export const withdraw = command({
  words: ["withdraw"],
  summary: "Request a payout of a part of the balance.",
  description: [
    "The sum is held at once and an operator reviews the request: PENDING_REVIEW means that nothing has " +
      "been paid out yet. The service does not report the outcome of the review; the ledger shows a hold " +
      "that was released.",
    "The service never repeats the answer to a used key. After a lost answer, send the same request again " +
      "with its key and --resend: RECORDED means that the first one arrived. A key that this command made " +
      "carries a digest of its withdrawal, which proves that. With a key of your own, the ledger can rule " +
      "the withdrawal out (exit code 8) but cannot confirm its destination (exit code 13).",
  ],
  options: {
    asset: { value: "ASSET", required: true, choices: assets, meaning: "What to be paid in." },
    to: { value: "ADDRESS", required: true, meaning: "Where it is paid to. Check it twice." },
    usd: { value: "AMOUNT", required: true, meaning: "How much, from 1 to 100000 USD." },
  },
  asks: true,
  keyed: true,
  fields: ["id", "status", "idempotencyKey", "isReplay", "isVerified"],
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
    const answer = await requestWithdrawal(context, client, { asset, destination: to, usd });
    return output(answer, (shown, style) => {
      const isRecorded = shown.status === "RECORDED";
      return [
        record(style, [
          ["Withdrawal", shown.id ?? "recorded; id unknown"],
          ["Status", stateIn(style, shown.status)],
        ]),
        "",
        isRecorded
          ? `It was recorded before under this key and happened once. ${context.suggest("ironlease ledger list")} shows what is held.`
          : "Recorded, and the sum is held. Nothing is paid out until an operator has reviewed it.",
      ];
    });
  },
});
