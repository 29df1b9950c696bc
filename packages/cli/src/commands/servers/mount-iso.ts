import { command } from "#command.ts";
import { findServerId, serverArgument } from "#steps/find-server.ts";
import { queued, queuedMeaning } from "#steps/server-action.ts";
import { written } from "#steps/written.ts";

export const mountIso = command({
  words: ["server", "mount-iso"],
  summary: "Request mounting an ISO image.",
  description: [
    "The URL must be public, use https and carry no credentials. The service does not fetch it.",
    queuedMeaning,
  ],
  arguments: [serverArgument, { name: "url", meaning: "URL of the image." }],
  keyed: true,
  fields: ["id", "status", "idempotencyKey", "isReplay"],
  examples: [
    {
      line: "ironlease server mount-iso web1.example.com https://images.example.org/rescue.iso",
      meaning: "Mount a rescue system.",
    },
  ],
  run: async ({ args, context }) => {
    const client = await context.member();
    const id = await findServerId(client, args.server, context);
    const key = await context.writing();
    const request = { id, action: "mount_iso", isoUrl: args.url } as const;
    return queued(written(await client.requestAction(request, key), key));
  },
});
