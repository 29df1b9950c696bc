import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { findServerId, serverArgument, serverFields } from "#steps/find-server.ts";

export const setLabel = command({
  words: ["server", "label"],
  summary: "Give a server your own name.",
  description: [
    "Other commands take the label in place of the id. It changes nothing on the machine. Operators see it too.",
  ],
  arguments: [
    serverArgument,
    { name: "text", meaning: "The label, up to 64 characters. Empty removes it." },
  ],
  fields: serverFields,
  examples: [
    { line: "ironlease server label web1.example.com shop", meaning: "Name a server." },
    { line: "ironlease server label shop ''", meaning: "Remove the name." },
  ],
  run: async ({ args, context }) => {
    const client = await context.member();
    const id = await findServerId(client, args.server, context);
    return output(await client.setLabel({ id, label: args.text }, context.calling), (shown) =>
      shown.label === "" ? `${shown.id} has no label.` : `${shown.id} is labelled ${shown.label}.`,
    );
  },
});
