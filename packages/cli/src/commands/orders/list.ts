import type { Order } from "@ironlease/client";
import { extras, type Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { amountOf, minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";

const columns: readonly Column<Order>[] = [
  { field: "id", heading: "ID", cell: ({ id }) => id },
  { field: "createdAt", heading: "ORDERED", cell: ({ createdAt }) => minuteOf(createdAt) },
  { field: "status", heading: "STATUS", cell: ({ status }) => status },
  {
    field: "quantity",
    heading: "SERVERS",
    cell: ({ quantity }) => String(quantity),
    isRight: true,
  },
  { field: "configId", heading: "CONFIG", cell: ({ configId }) => configId },
  { field: "regionId", heading: "REGION", cell: ({ regionId }) => regionId },
  { field: "osId", heading: "OS", cell: ({ osId }) => osId },
  { field: "term", heading: "TERM", cell: ({ term }) => term },
  { field: "totalUsd", heading: "USD", cell: ({ totalUsd }) => amountOf(totalUsd), isRight: true },
  ...extras<Order>("serverIds"),
];

export const listOrders = command({
  words: ["order", "list"],
  summary: "List orders.",
  description: [
    "The latest 100, newest first. An order stays ACCEPTED: for the delivery, see ironlease server list. " +
      "Also works with an API key of scope read.",
  ],
  columns,
  examples: [{ line: "ironlease order list", meaning: "The latest orders." }],
  run: async ({ context }) => {
    const client = await context.reader();
    const answer = await client.listOrders(context.calling);
    return listed(answer, { rows: answer.orders, columns }, { none: "No orders yet." });
  },
});
