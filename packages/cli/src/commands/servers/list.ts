import { command } from "#command.ts";
import { amountOf, minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { table } from "#output/table.ts";

export const listServers = command({
  words: ["server", "list"],
  summary: "List servers.",
  description: [
    "Newest first, without terminated ones. PROVISIONING means paid but not delivered yet; the paid time " +
      "starts with the delivery. Also works with an API key of scope read or servers.",
  ],
  examples: [
    { line: "ironlease server list", meaning: "All servers." },
    { line: "ironlease server list --get servers.0.id", meaning: "Id of the newest server." },
  ],
  run: async ({ context }) => {
    const client = await context.reader();
    return output(await client.listServers(context.calling), ({ servers }, style) =>
      servers.length === 0
        ? `No servers yet. To see what you can order: ${context.suggest("ironlease catalogue list")}`
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
              { heading: "LABEL", cell: ({ label }) => label || "-" },
            ],
            servers,
          ),
    );
  },
});
