import { command } from "#command.ts";
import { amountOf, minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { table } from "#output/table.ts";

export const listServers = command({
  words: ["server", "list"],
  summary: "List the servers.",
  description: [
    "All but terminated ones, newest first. PROVISIONING means ordered and paid, not yet delivered; the " +
      "paid time begins with the delivery. An API key with the scope read or servers is enough.",
  ],
  examples: [
    { line: "ironlease server list", meaning: "All servers." },
    { line: "ironlease server list --get servers.0.id", meaning: "The id of the newest." },
  ],
  run: async ({ context }) => {
    const client = await context.reader();
    return output(await client.listServers(context.calling), ({ servers }, style) =>
      servers.length === 0
        ? `There are no servers yet. ${context.suggest("ironlease catalogue list")} shows what can be ordered.`
        : table(
            style,
            [
              { heading: "ID", cell: ({ id }) => id },
              { heading: "HOST NAME", cell: ({ hostname }) => hostname ?? "-" },
              { heading: "STATE", cell: ({ state }) => stateIn(style, state) },
              { heading: "CONFIG", cell: ({ configId }) => configId },
              { heading: "REGION", cell: ({ region }) => region },
              { heading: "USD", cell: ({ priceUsd }) => amountOf(priceUsd), isRight: true },
              { heading: "TERM", cell: ({ term }) => term },
              { heading: "PAID THROUGH", cell: ({ paidThrough }) => minuteOf(paidThrough) },
              { heading: "RENEWS", cell: ({ autoRenew }) => (autoRenew ? "yes" : "no") },
            ],
            servers,
          ),
    );
  },
});
