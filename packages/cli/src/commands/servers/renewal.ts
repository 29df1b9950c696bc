import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { findServerId, serverArgument, serverFields } from "#steps/find-server.ts";

export const setRenewal = command({
  words: ["server", "renewal"],
  summary: "Turn automatic renewal on or off.",
  description: [
    "When on, the balance is charged for the next term as the paid time ends. When off, or without funds, " +
      "the server is terminated after its grace period.",
  ],
  arguments: [
    serverArgument,
    { name: "switch", choices: ["on", "off"], meaning: "Automatic renewal." },
  ],
  fields: serverFields,
  examples: [
    {
      line: "ironlease server renewal web1.example.com off",
      meaning: "Let the server end after its paid time.",
    },
  ],
  run: async ({ args, context }) => {
    const client = await context.member();
    const id = await findServerId(client, args.server, context);
    const request = { id, autoRenew: args.switch === "on" };
    return output(await client.setRenewal(request, context.calling), (shown) => {
      const end = shown.paidThrough === null ? "" : ` Paid through ${minuteOf(shown.paidThrough)}.`;
      return shown.autoRenew
        ? `${shown.id} renews automatically.${end}`
        : `${shown.id} does not renew. It ends after its grace period.${end}`;
    });
  },
});
