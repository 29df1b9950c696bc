import type { CreateDepositAddressAnswer } from "@ironlease/client";
import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { qrCode } from "#output/qr-code.ts";
import { record } from "#output/table.ts";
import { watchDeposits } from "#steps/watch-deposits.ts";
import { replayLines, written } from "#steps/written.ts";
import { assets } from "#vocabulary.ts";

export const createDeposit = command({
  words: ["deposit", "create"],
  summary: "Get an address to pay to.",
  description: [
    "Any amount that is ever paid to it is credited in USD, at the rate of that time, when it has its " +
      "confirmations. On a terminal it is shown as a QR code, too.",
    "Mind the mode: SIMULATED addresses can be paid on no network, TEST ones on a test network only.",
  ],
  arguments: [{ name: "asset", choices: assets, meaning: "What to pay with." }],
  options: {
    watch: { meaning: "Go on to watch for the payment, as ironlease deposit watch does." },
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
    { line: "ironlease deposit create BTC", meaning: "An address to pay bitcoin to." },
    {
      line: "ironlease deposit create XMR --get address",
      meaning: "The address alone, for a script.",
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
        ["Confirmations", `${shown.confirmationsRequired} until it is credited`],
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
    return `No network can pay this address. To pretend: ironleased simulate-payment ${address} 0.01`;
  }
  return mode === "TEST"
    ? `Pay ${asset} on the test network ${network}. Money from anywhere else is lost.`
    : `Pay ${asset} on ${network} only. Other assets, and other networks, are lost.`;
}
