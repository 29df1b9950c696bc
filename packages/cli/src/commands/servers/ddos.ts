import { command } from "#command.ts";
import type { Context } from "#context.ts";
import { output, type Output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { record } from "#output/table.ts";
import { findServerId, serverArgument } from "#steps/find-server.ts";
import { replayLines, written } from "#steps/written.ts";
import { ddosModes } from "#vocabulary.ts";

export const setDdos = command({
  words: ["server", "ddos"],
  summary: "Show or choose the DDoS mode.",
  description: [
    "Without MODE it shows what is stored. A change is queued for an operator; ADVANCED needs the " +
      "operator's quote until one has been accepted. UNCHANGED means that the mode is the one in force " +
      "already. A stored mode is a setting, and no evidence of protection.",
  ],
  arguments: [
    serverArgument,
    { name: "mode", optional: true, choices: ddosModes, meaning: "The mode to change to." },
  ],
  keyed: true,
  fields: ["status", "mode", "quoteRequired", "requestedMode", "idempotencyKey", "isReplay"],
  examples: [
    { line: "ironlease server ddos web1.example.com", meaning: "What is stored now." },
    { line: "ironlease server ddos web1.example.com advanced", meaning: "Queue a change." },
  ],
  run: async ({ args, context }) => {
    if (args.mode === undefined) return show(context, args.server);
    const client = await context.member();
    const id = await findServerId(client, args.server, context);
    const key = await context.writing();
    const answer = await client.setDdosMode({ id, mode: args.mode }, key);
    return output(written(answer, key), (shown, style) => [
      `${stateIn(style, shown.status)}  ${shown.mode}`,
      shown.status === "QUEUED"
        ? "Recorded for an operator. It is not in force yet."
        : "That is the mode in force already; nothing is queued.",
      ...(shown.quoteRequired
        ? ["It needs a quote of the operator's, and your acceptance, first."]
        : []),
      ...replayLines(shown),
    ]);
  },
});

async function show(context: Context, server: string): Promise<Output> {
  const client = await context.reader();
  const id = await findServerId(client, server, context);
  const { ddos } = await client.readServer({ id }, context.calling);
  return output(ddos, (shown, style) =>
    record(style, [
      ["Mode", shown.mode],
      ["Queued", shown.requestedMode ?? "nothing"],
      ["Needs a quote", shown.quoteRequired ? "yes" : "no"],
    ]),
  );
}
