import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { shownSecret } from "#steps/shown-secret.ts";
import { readEvents } from "#steps/webhook-events.ts";

export const createWebhook = command({
  words: ["webhook", "create"],
  summary: "Have events posted to a URL.",
  description: [
    "Messages are signed as Standard Webhooks describes and retried for three days. The secret that verifies them is " +
      "shown only once.",
  ],
  arguments: [{ name: "url", meaning: "Public HTTPS URL of the receiver." }],
  options: {
    events: {
      value: "EVENTS",
      meaning: "Events such as server.active,deposit.credited. Default: all.",
    },
  },
  showsOnce: true,
  fields: ["id", "url", "events", "createdAt", "disabledAt", "secret"],
  examples: [
    {
      line: "ironlease webhook create https://hooks.example.com/ironlease",
      meaning: "Every event.",
    },
    {
      line: "ironlease webhook create https://hooks.example.com/ironlease --events deposit.credited,server.active --get secret",
      meaning: "Two events, and print the secret only.",
    },
  ],
  run: async ({ args, options, context }) => {
    const client = await context.member();
    const events = options.events === undefined ? undefined : readEvents(options.events);
    const request = { url: args.url, events };
    const created = await client.createWebhook(request, context.calling);
    const once = {
      secret: created.secret,
      done: `The webhook ${created.id} was created`,
      what: "its secret",
      ifLost: ["Replace it:", `ironlease webhook rotate ${created.id} --yes`],
    };
    return output(created, shownSecret, once);
  },
});
