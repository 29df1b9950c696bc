import { command } from "#command.ts";
import { usageFailure } from "#failures/failure.ts";
import { isNoAddress, watchDeposits } from "#steps/watch-deposits.ts";

export const watchDeposit = command({
  words: ["deposit", "watch"],
  summary: "Watch deposits until they are credited.",
  description: [
    "With an address, waits for a payment to it and ends once everything paid to it is credited. Without " +
      "one, shows every deposit until Ctrl-C or the end of --for.",
    "With --json, prints one line for each change. Deposits are credited whether you watch or not.",
  ],
  arguments: [{ name: "address", optional: true, meaning: "Deposit address of this account." }],
  options: {
    for: {
      value: "SECONDS",
      meaning: "Stop after this many seconds. Exit code 15 if the address is not credited by then.",
    },
  },
  examples: [
    { line: "ironlease deposit watch", meaning: "Every deposit as it arrives." },
    {
      line: "ironlease deposit watch sim-btc-3kq8 --for 3600",
      meaning: "Wait up to an hour for a payment to one address.",
    },
  ],
  run: async ({ args, options, context }) => {
    const seconds = options.for;
    if (seconds !== undefined && !/^\d{1,9}$/.test(seconds)) {
      throw usageFailure("--for must be a whole number of seconds.");
    }
    if (args.address !== undefined && isNoAddress(args.address)) {
      throw usageFailure(`${args.address} is not a deposit address.`, "ironlease deposit list");
    }
    if (context.format === "yaml" || context.format === "csv") {
      throw usageFailure("Changes can be printed as lines of text or JSON, not as YAML or CSV.");
    }
    const mostMs = seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1_000;
    const client = await context.member();
    await watchDeposits(context, client, { address: args.address, mostMs });
    return undefined;
  },
});
