import { command } from "#command.ts";
import { addressArgument, storePtr } from "#steps/reverse-dns.ts";

export const clearPtr = command({
  words: ["network", "clear-ptr"],
  summary: "Clear the reverse DNS name of an address.",
  arguments: [addressArgument],
  fields: ["id", "ptr"],
  examples: [{ line: "ironlease network clear-ptr 203.0.113.10", meaning: "Remove the name." }],
  run: ({ args, context }) => storePtr(context, args.address, ""),
});
