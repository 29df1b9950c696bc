import type { KeyRecord } from "@ironlease/client";
import type { Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";

const columns: readonly Column<KeyRecord>[] = [
  { field: "createdAt", heading: "TIME", cell: ({ createdAt }) => minuteOf(createdAt) },
  { field: "operation", heading: "OPERATION", cell: ({ operation }) => operation },
  {
    field: "id",
    value: ({ reference }) => reference?.id ?? null,
    heading: "RECORD",
    cell: ({ reference }) => reference?.id ?? "unknown",
  },
];

export const showIdempotencyKey = command({
  words: ["idempotency-key", "show"],
  summary: "Show what an idempotency key was used for.",
  description: [
    "After a lost response, this tells whether the change happened. Exit code 6 means that nothing has happened with the key so far.",
  ],
  arguments: [{ name: "key", meaning: "The key, as printed with the failed command." }],
  columns,
  examples: [
    {
      line: "ironlease idempotency-key show 0b9c7b52-2f6e-4b53-9d0f-6f6c1f3a9b77",
      meaning: "What was recorded under this key.",
    },
  ],
  run: async ({ args, context }) => {
    const client = await context.member();
    const found = await client.findIdempotencyKey({ key: args.key }, context.calling);
    return listed(found, { rows: found.records, columns });
  },
});
