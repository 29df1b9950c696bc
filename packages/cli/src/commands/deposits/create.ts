import type { CreateDepositAddressAnswer } from "@ironlease/client";
import { record } from "@ironlease/command-line";
import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { qrCode } from "#output/qr-code.ts";
import { watchDeposits } from "#steps/watch-deposits.ts";
import { replayLines, written } from "#steps/written.ts";
import { assets } from "#vocabulary.ts";

export const createDeposit = command({
  words: ["deposit", "create"],
  summary: "Create a deposit address.",
  description: [
    "Every payment to the address is credited in USD once it is confirmed, at the rate of that time. A " +
      "terminal also shows a QR code.",
    "Check the mode: SIMULATED addresses exist on no network, and TEST addresses only on a test network.",
  ],
  arguments: [{ name: "asset", choices: assets, meaning: "Asset to pay with." }],
  options: {
    watch: { meaning: "Then watch for the payment, like ironlease deposit watch." },
  },
  keyed: true,
  fields: [
    "address",
    "asset",
    "network",
    "confirmationsRequired",
    "mode",
    "idempotencyKey",
    "isReplay",
  ],
  examples: [
    { line: "ironlease deposit create BTC", meaning: "A Bitcoin address." },
    {
      line: "ironlease deposit create XMR --get address",
      meaning: "Only the address, for a script.",
    },
  ],
  run: async ({ args, options, context }) => {
    const client = await context.member();
    const key = await context.writing();
    const answer = written(await client.createDepositAddress({ asset: args.asset }, key), key);
    const isTerminal = context.io.stdout.isTTY === true;
    const address = output(answer, (shown, style) => [
      ...(isTerminal ? [qrCode(shown.address, style), ""] : []),
      record(style, [
        ["Address", style.bold(shown.address)],
        ["Asset", shown.asset],
        ["Network", shown.network],
        ["Confirmations", `${shown.confirmationsRequired} required`],
        ["Mode", shown.mode === "LIVE" ? shown.mode : style.yellow(shown.mode)],
      ]),
      "",
      howToPay(shown),
      ...replayLines(shown),
    ]);
    if (!options.watch) return address;
    await context.print(address, true);
    const watch = { address: answer.address, mostMs: Number.POSITIVE_INFINITY };
    await watchDeposits(context, client, watch);
    return undefined;
  },
});

function howToPay({ mode, asset, network, address }: CreateDepositAddressAnswer): string {
  if (mode === "SIMULATED") {
    return `This address exists on no network. To simulate a payment: ironleased simulate-payment ${address} 0.01`;
  }
  return mode === "TEST"
    ? `Send only ${asset} on the test network ${network}. Anything else is lost.`
    : `Send only ${asset} on ${network}. Other assets and networks are lost.`;
}
