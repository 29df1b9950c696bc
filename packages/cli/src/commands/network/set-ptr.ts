import { command } from "#command.ts";
import { addressArgument, storePtr } from "#steps/reverse-dns.ts";

export const setPtr = command({
  words: ["network", "set-ptr"],
  summary: "Set the reverse DNS name of an address.",
  description: ["This is a requested setting; public DNS may differ."],
  arguments: [addressArgument, { name: "name", meaning: "Host name." }],
  fields: ["id", "ptr"],
  examples: [
    {
      line: "ironlease network set-ptr 203.0.113.10 web1.example.com",
      meaning: "Set a name.",
    },
  ],
  run: ({ args, context }) => storePtr(context, args.address, args.name),
});
