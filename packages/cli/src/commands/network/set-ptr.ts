import { command } from "#command.ts";
import { addressArgument, storePtr } from "#steps/reverse-dns.ts";

export const setPtr = command({
  words: ["network", "set-ptr"],
  summary: "Store a reverse DNS name for an address.",
  description: ["The service stores the setting. It is no evidence of what public DNS answers."],
  arguments: [addressArgument, { name: "name", meaning: "The host name." }],
  fields: ["id", "ptr"],
  examples: [
    {
      line: "ironlease network set-ptr 203.0.113.10 web1.example.com",
      meaning: "Name an address.",
    },
  ],
  run: ({ args, context }) => storePtr(context, args.address, args.name),
});
