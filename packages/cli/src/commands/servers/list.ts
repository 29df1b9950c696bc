import type { PastServer, Server } from "@ironlease/client";
import type { Style } from "@ironlease/command-line";
import { command } from "#command.ts";
import { usageFailure } from "#failures/failure.ts";
import { amountOf, minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { table, type Column } from "#output/table.ts";
import { currentStates } from "#vocabulary.ts";

export const listServers = command({
  words: ["server", "list"],
  summary: "List servers.",
  description: [
    "Newest first, without terminated ones. PROVISIONING means paid but not delivered yet; the paid time " +
      "starts with the delivery. Also works with an API key of scope read or servers, except --past.",
    "With --query, --state or --region it lists the newest 100 that match.",
  ],
  options: {
    past: { meaning: "List the latest 100 terminated servers instead." },
    query: { value: "TEXT", meaning: "Part of a label, host name or address, or an id." },
    state: { value: "STATE", choices: currentStates, meaning: "Only servers in this state." },
    region: { value: "REGION", completes: "regions", meaning: "Only servers in this region." },
  },
  examples: [
    { line: "ironlease server list", meaning: "All servers." },
    { line: "ironlease server list --state GRACE", meaning: "Servers that are not paid for." },
    { line: "ironlease server list --past", meaning: "Terminated servers." },
    { line: "ironlease server list --get servers.0.id", meaning: "Id of the newest server." },
  ],
  run: async ({ options: { past, query, state, region }, context }) => {
    const filter = {
      ...(query !== undefined && { query }),
      ...(state !== undefined && { state }),
      ...(region !== undefined && { regionId: region }),
    };
    const hasFilter = Object.keys(filter).length > 0;
    if (past) {
      if (hasFilter) {
        throw usageFailure("--past cannot be combined with --query, --state or --region.");
      }
      const member = await context.member();
      return output(await member.listPastServers(context.calling), ({ pastServers }, style) =>
        pastServers.length === 0
          ? "No terminated servers."
          : table(style, pastColumns, pastServers),
      );
    }
    const client = await context.reader();
    return output(await client.listServers(filter, context.calling), ({ servers }, style) => {
      if (servers.length > 0) return table(style, columnsIn(style), servers);
      return hasFilter
        ? "No servers match."
        : `No servers yet. To see what you can order: ${context.suggest("ironlease catalogue list")}`;
    });
  },
});

const columnsIn = (style: Style): readonly Column<Server>[] => [
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
];

const pastColumns: readonly Column<PastServer>[] = [
  { heading: "ID", cell: ({ id }) => id },
  { heading: "HOST NAME", cell: ({ hostname }) => hostname ?? "-" },
  { heading: "CONFIG", cell: ({ configId }) => configId },
  { heading: "REGION", cell: ({ region }) => region },
  { heading: "ENDED", cell: ({ endedAt }) => minuteOf(endedAt) },
  { heading: "LABEL", cell: ({ label }) => label || "-" },
];
