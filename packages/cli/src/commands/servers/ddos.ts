import { record } from "@ironlease/command-line";
import { command } from "#command.ts";
import type { Context } from "#context.ts";
import { output, type Output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { quoteText } from "#output/quote.ts";
import { findServerId, serverArgument } from "#steps/find-server.ts";
import { replayLines, written } from "#steps/written.ts";
import { ddosModes } from "#vocabulary.ts";

export const setDdos = command({
  words: ["server", "ddos"],
  summary: "Show or change the DDoS mode.",
  description: [
    "Without MODE, shows the current setting and the operator's quote. An operator applies a change; ADVANCED " +
      "needs a quote from the operator that you accept first with `ironlease server accept-quote`. BASELINE " +
      "declines a quote. UNCHANGED means that the mode is already set.",
  ],
  arguments: [
    serverArgument,
    { name: "mode", optional: true, choices: ddosModes, meaning: "New mode." },
  ],
  keyed: true,
  fields: [
    "status",
    "mode",
    "quoteRequired",
    "requestedMode",
    "quote",
    "idempotencyKey",
    "isReplay",
  ],
  examples: [
    { line: "ironlease server ddos web1.example.com", meaning: "Show the current mode." },
    { line: "ironlease server ddos web1.example.com advanced", meaning: "Request a change." },
    { line: "ironlease server ddos web1.example.com baseline", meaning: "Decline a quote." },
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
        ? "Requested. An operator will apply it."
        : "The mode is already set. Nothing was requested.",
      ...(shown.quoteRequired
        ? ["It first needs a quote from the operator, which you accept."]
        : []),
      ...replayLines(shown),
    ]);
  },
});

async function show(context: Context, server: string): Promise<Output> {
  const client = await context.reader();
  const id = await findServerId(client, server, context);
  const { ddos, term } = await client.readServer({ id }, context.calling);
  return output(ddos, (shown, style) =>
    record(style, [
      ["Mode", shown.mode],
      ["Requested", shown.requestedMode ?? "-"],
      ["Needs quote", shown.quoteRequired ? "yes" : "no"],
      ["Quote", quoteText(shown, term)],
    ]),
  );
}
