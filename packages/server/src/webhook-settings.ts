import * as read from "./setting-readers.ts";

/** Settings of the messages to customers' endpoints. */
export const webhookSettings = {
  webhooksEveryMs: {
    name: "IRONLEASE_WEBHOOKS_EVERY",
    default: "1s",
    meaning: "How often to look for webhook messages to send.",
    read: read.duration,
  },
  webhookNetworks: {
    name: "IRONLEASE_WEBHOOK_ALLOW",
    default: undefined,
    meaning:
      "Networks that webhooks may reach although they are not public, comma-separated, with plain HTTP too. In preview only, to try webhooks out: `127.0.0.0/8`.",
    read: read.networks,
  },
} as const;
