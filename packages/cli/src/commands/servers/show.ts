import type { ReadServerAnswer } from "@ironlease/client";
import { record } from "@ironlease/command-line";
import { command } from "#command.ts";
import { minuteOf, stopOf, usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { quoteText } from "#output/quote.ts";
import { findServerId, serverArgument } from "#steps/find-server.ts";

export const showServer = command({
  words: ["server", "show"],
  summary: "Show a server and its addresses.",
  description: [
    "Reverse DNS names and the DDoS mode are requested settings. Public DNS and the active protection may " +
      "differ. Also works with an API key of scope read or servers.",
  ],
  arguments: [serverArgument],
  examples: [
    { line: "ironlease server show web1.example.com", meaning: "Show a server by its host name." },
  ],
  run: async ({ args, context }) => {
    const client = await context.reader();
    const id = await findServerId(client, args.server, context);
    return output(await client.readServer({ id }, context.calling), (shown, style) =>
      record(style, [
        ["Server", shown.id],
        ["Label", shown.label === "" ? undefined : shown.label],
        ["Host name", shown.hostname ?? "assigned at delivery"],
        ["State", stateIn(style, shown.state)],
        ["Suspended", stopOf(shown.suspension)],
        ["Configuration", shown.configId],
        ["Region", shown.region],
        ["Operating system", shown.osId],
        ["Price", `${usdOf(shown.priceUsd)} ${shown.term}`],
        [
          "DDoS protection",
          shown.ddosUsd > 0 ? `${usdOf(shown.ddosUsd)} ${shown.term}` : undefined,
        ],
        [
          "Paid through",
          shown.paidThrough === null ? "starts with the delivery" : minuteOf(shown.paidThrough),
        ],
        ["Grace until", shown.graceUntil === null ? undefined : minuteOf(shown.graceUntil)],
        ["Renews", shown.autoRenew ? "yes" : "no"],
        ["DDoS mode", ddosOf(shown)],
        ["DDoS quote", quoteText(shown.ddos, shown.term)],
        ["Order", `${shown.orderId}, ${minuteOf(shown.createdAt)}`],
        ...shown.assignments.map(
          ({ address, prefixLength, ptr }) =>
            ["Address", `${address}/${prefixLength}${ptr === "" ? "" : `  ${ptr}`}`] as const,
        ),
      ]),
    );
  },
});

function ddosOf({ ddos: { mode, requestedMode, quoteRequired, quote } }: ReadServerAnswer): string {
  if (requestedMode === null) return mode;
  const waiting =
    quote === null ? ", waiting for a quote" : ", waiting for you to accept the quote";
  return `${mode}; ${requestedMode} is queued${quoteRequired ? waiting : ""}`;
}
