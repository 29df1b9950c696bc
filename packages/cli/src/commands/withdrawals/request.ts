import { record } from "@ironlease/command-line";
import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { requestWithdrawal } from "#steps/request-withdrawal.ts";
import { assets } from "#vocabulary.ts";

export const withdraw = command({
  words: ["withdraw"],
  summary: "Request a withdrawal.",
  description: [
    "The amount is held at once, and an operator reviews the request. PENDING_REVIEW means that nothing has " +
      "been paid yet. The ledger shows when it is paid or released.",
    "If the connection is lost, repeat the command with the same key and --resend: RECORDED means that the " +
      "first request arrived. Keys that this command generates carry a digest of the withdrawal, which proves " +
      "it. With a key of your own, the ledger can rule the withdrawal out (exit code 8) but cannot confirm " +
      "its destination (exit code 13).",
  ],
  options: {
    asset: { value: "ASSET", required: true, choices: assets, meaning: "Asset to be paid in." },
    to: { value: "ADDRESS", required: true, meaning: "Destination address. Check it twice." },
    usd: { value: "AMOUNT", required: true, meaning: "Amount in USD, from 1 to 100000." },
  },
  asks: true,
  keyed: true,
  fields: ["id", "status", "idempotencyKey", "isReplay", "isVerified"],
  examples: [
    {
      line: "ironlease withdraw --usd 25 --asset BTC --to bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
      meaning: "Confirm, then request it.",
    },
  ],
  run: async ({ options, context }) => {
    const client = await context.member();
    const { asset, to, usd } = options;
    await context.confirm({
      text: `Withdraw ${usd} USD in ${asset} to ${to}? Payments to a wrong address are lost.`,
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
          ? `Already recorded under this key; nothing happened twice. To see what is held: ${context.suggest("ironlease ledger list")}`
          : "Requested. The amount is held, and an operator reviews it before anything is paid.",
      ];
    });
  },
});
