import {
  isError,
  type Assignment,
  type KeyClient,
  type PastServer,
  type Server,
} from "@ironlease/client";
import { columnsOf, groupBy, extras, type Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import type { Context } from "#context.ts";
import { usageFailure } from "#failures/failure.ts";
import { amountOf, minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { currentStates } from "#vocabulary.ts";

type Listed = Server & { readonly addresses: readonly string[] };

const columns: readonly Column<Listed>[] = [
  { field: "id", heading: "ID", cell: ({ id }) => id },
  { field: "hostname", heading: "HOST NAME", cell: ({ hostname }) => hostname ?? "-" },
  {
    field: "addresses",
    heading: "ADDRESSES",
    cell: ({ addresses }) => addresses.join(" ") || "-",
  },
  { field: "state", heading: "STATE", cell: ({ state }, style) => stateIn(style, state) },
  { field: "configId", heading: "CONFIG", cell: ({ configId }) => configId },
  { field: "region", heading: "REGION", cell: ({ region }) => region },
  { field: "priceUsd", heading: "USD", cell: ({ priceUsd }) => amountOf(priceUsd), isRight: true },
  { field: "term", heading: "TERM", cell: ({ term }) => term },
  {
    field: "paidThrough",
    heading: "PAID THROUGH",
    cell: ({ paidThrough }) => minuteOf(paidThrough),
  },
  { field: "autoRenew", heading: "RENEWS", cell: ({ autoRenew }) => (autoRenew ? "yes" : "no") },
  { field: "label", heading: "LABEL", cell: ({ label }) => label || "-" },
  ...extras<Server>("osId", "orderId", "ddosMode", "ddosUsd", "graceUntil", "createdAt"),
];

const withoutAddresses = columns.filter(({ field }) => field !== "addresses");

const pastColumns: readonly Column<PastServer>[] = [
  { field: "id", heading: "ID", cell: ({ id }) => id },
  { field: "hostname", heading: "HOST NAME", cell: ({ hostname }) => hostname ?? "-" },
  { field: "configId", heading: "CONFIG", cell: ({ configId }) => configId },
  { field: "region", heading: "REGION", cell: ({ region }) => region },
  { field: "endedAt", heading: "ENDED", cell: ({ endedAt }) => minuteOf(endedAt) },
  { field: "label", heading: "LABEL", cell: ({ label }) => label || "-" },
  ...extras<PastServer>("osId", "orderId", "createdAt"),
];

export const listServers = command({
  words: ["server", "list"],
  summary: "List servers.",
  description: [
    "Newest first, without terminated ones. PROVISIONING means paid but not delivered yet; the paid time " +
      "starts with the delivery. Also works with an API key of scope read or servers, except --past. Scope read " +
      "does not list addresses: the column is left out.",
    "With --query, --state or --region it lists the newest 100 that match.",
  ],
  options: {
    past: { meaning: "List the latest 100 terminated servers instead." },
    query: { value: "TEXT", meaning: "Part of a label, host name or address, or an id." },
    state: { value: "STATE", choices: currentStates, meaning: "Only servers in this state." },
    region: { value: "REGION", completes: "regions", meaning: "Only servers in this region." },
  },
  columns: [...columns, { field: "endedAt" }],
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
      const past = await (await context.member()).listPastServers(context.calling);
      return listed(
        past,
        { rows: past.pastServers, columns: pastColumns },
        { none: "No terminated servers." },
      );
    }
    const client = await context.reader();
    const [answer, assignments] = await Promise.all([
      client.listServers(filter, context.calling),
      showsAddresses(context) ? readAssignments(client, context) : [],
    ]);
    const addresses = groupBy(assignments ?? [], ({ serverId }) => serverId);
    const rows = answer.servers.map((server) => ({
      ...server,
      addresses: addresses.get(server.id)?.map(({ address }) => address) ?? [],
    }));
    const none = hasFilter
      ? "No servers match."
      : `No servers yet. To see what you can order: ${context.suggest("ironlease catalogue list")}`;
    if (assignments !== undefined) return listed(answer, { rows, columns }, { none });
    context.note(
      "No addresses: an API key of scope read cannot list them. Use a key of scope servers, or run: " +
        context.suggest("ironlease server show SERVER"),
    );
    return listed(answer, { rows, columns: withoutAddresses }, { none });
  },
});

/** Only tables and CSV have addresses: JSON and YAML are the service's response. */
function showsAddresses({ format, shared: { get, quiet, columns: names } }: Context): boolean {
  if (!["table", "csv"].includes(format) || get !== undefined || quiet) return false;
  return names === undefined || columnsOf(names).includes("addresses");
}

/** Undefined if the API key may not list them, unless `--columns` asks for them: then it is an error. */
async function readAssignments(
  client: KeyClient,
  { calling, shared: { columns: names } }: Context,
): Promise<readonly Assignment[] | undefined> {
  try {
    return (await client.listAssignments(calling)).assignments;
  } catch (error) {
    const isOutOfScope = isError(error, "listAssignments", "insufficient_scope");
    if (isOutOfScope && names === undefined) return undefined;
    throw error;
  }
}
