import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { findServerId, serverArgument } from "#steps/find-server.ts";

export const setRenewal = command({
  words: ["server", "renewal"],
  summary: "Switch automatic renewal on or off.",
  description: [
    "Switched on, the next term is charged to the balance when the paid time ends. Switched off, or " +
      "without funds, the server has its grace time and is then terminated.",
  ],
  arguments: [
    serverArgument,
    { name: "switch", choices: ["on", "off"], meaning: "Whether it renews." },
  ],
  fields: [
    "id",
    "orderId",
    "configId",
    "osId",
    "hostname",
    "state",
    "region",
    "term",
    "priceUsd",
    "paidThrough",
    "graceUntil",
    "autoRenew",
    "ddosMode",
    "createdAt",
    "suspension",
  ],
  examples: [
    { line: "ironlease server renewal web1.example.com off", meaning: "Let it end when paid up." },
  ],
  run: async ({ args, context }) => {
    const client = await context.member();
    const id = await findServerId(client, args.server, context);
    const request = { id, autoRenew: args.switch === "on" };
    return output(await client.setRenewal(request, context.calling), (shown) => {
      const end =
        shown.paidThrough === null ? "" : ` It is paid through ${minuteOf(shown.paidThrough)}.`;
      return shown.autoRenew
        ? `${shown.id} renews automatically.${end}`
        : `${shown.id} does not renew; it ends after its grace time.${end}`;
    });
  },
});
