import { command } from "#command.ts";
import { usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { findServerId, serverArgument } from "#steps/find-server.ts";
import { replayLines, written } from "#steps/written.ts";

export const cancelServer = command({
  words: ["server", "cancel"],
  summary: "Cancel a server before its delivery.",
  description: [
    "Possible until an operator starts to deliver it. Its price is returned to the balance at once.",
  ],
  arguments: [serverArgument],
  asks: true,
  keyed: true,
  fields: ["serverId", "refundUsd", "idempotencyKey", "isReplay"],
  examples: [
    {
      line: "ironlease server cancel srv_01kfxq8n3ve7wt5c2m9hzr4d6y",
      meaning: "Confirm, then cancel it.",
    },
  ],
  run: async ({ args, context }) => {
    const client = await context.member();
    const id = await findServerId(client, args.server, context);
    await context.confirm({ text: `Cancel ${args.server}? The server ends and is refunded.` });
    const key = await context.writing();
    const answer = written(await client.cancelServer({ id }, key), key);
    return output(answer, (shown) => [
      `Cancelled. ${usdOf(shown.refundUsd)} returned to the balance.`,
      ...replayLines(shown),
    ]);
  },
});
