import { command } from "#command.ts";
import { amountOf, minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

export const listOrders = command({
  words: ["order", "list"],
  summary: "List orders.",
  description: [
    "The latest 100, newest first. An order stays ACCEPTED: for the delivery, see ironlease server list. " +
      "Also works with an API key of scope read.",
  ],
  examples: [{ line: "ironlease order list", meaning: "The latest orders." }],
  run: async ({ context }) => {
    const client = await context.reader();
    return output(await client.listOrders(context.calling), ({ orders }, style) =>
      orders.length === 0
        ? "No orders yet."
        : table(
            style,
            [
              { heading: "ID", cell: ({ id }) => id },
              { heading: "ORDERED", cell: ({ createdAt }) => minuteOf(createdAt) },
              { heading: "STATUS", cell: ({ status }) => status },
              { heading: "SERVERS", cell: ({ quantity }) => String(quantity), isRight: true },
              { heading: "CONFIG", cell: ({ configId }) => configId },
              { heading: "REGION", cell: ({ regionId }) => regionId },
              { heading: "OS", cell: ({ osId }) => osId },
              { heading: "TERM", cell: ({ term }) => term },
              { heading: "USD", cell: ({ totalUsd }) => amountOf(totalUsd), isRight: true },
            ],
            orders,
          ),
    );
  },
});
