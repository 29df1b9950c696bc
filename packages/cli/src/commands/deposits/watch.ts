import { command } from "#command.ts";
import { usageFailure } from "#failures/failure.ts";
import { isNoAddress, watchDeposits } from "#steps/watch-deposits.ts";

export const watchDeposit = command({
  words: ["deposit", "watch"],
  summary: "Watch the confirmations of payments come in.",
  description: [
    "With an address it ends when all that was paid to that address is credited, and waits for a payment " +
      "when there is none. Without one it shows every payment until Ctrl-C or the end of --for.",
    "With --json every change is one line. A payment is credited whether it is watched or not.",
  ],
  arguments: [
    { name: "address", optional: true, meaning: "An address of ironlease deposit create." },
  ],
  options: {
    for: {
      value: "SECONDS",
      meaning: "Stop after so long: with an address that is not credited yet, with exit code 15.",
    },
  },
  examples: [
    { line: "ironlease deposit watch", meaning: "Every payment, as it comes." },
    {
      line: "ironlease deposit watch sim-btc-3kq8 --for 3600",
      meaning: "Wait an hour at most for a payment to one address.",
    },
  ],
  run: async ({ args, options, context }) => {
    const seconds = options.for;
    if (seconds !== undefined && !/^\d{1,9}$/.test(seconds)) {
      throw usageFailure("--for takes a whole number of seconds.");
    }
    if (args.address !== undefined && isNoAddress(args.address)) {
      throw usageFailure(`${args.address} is not a deposit address.`, "ironlease deposit list");
    }
    const mostMs = seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1_000;
    const client = await context.member();
    await watchDeposits(context, client, { address: args.address, mostMs });
    return undefined;
  },
});
