import { Type } from "typebox";
import { eventTypes } from "../events.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { count, id, nullableTime, text, time, words } from "../schemas.ts";

const { webhooksPerAccount, webhookUrlLength } = limits;

const record = {
  id: id("webhook"),
  url: text("Where the messages are posted.", "https://hooks.example.com/ironlease"),
  events: Type.Array(words(eventTypes), { description: "The events that are sent to it." }),
  createdAt: time,
  disabledAt: nullableTime,
};

const webhook = Type.Object(record, { title: "Webhook" });
const newWebhook = Type.Object(
  {
    ...record,
    secret: text(
      "Verifies the signatures of the messages. Shown only once.",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    ),
  },
  { title: "NewWebhook" },
);

const delivery = Type.Object(
  {
    id: id("delivery", "The `webhook-id` of the message, the same at every attempt."),
    event: text("The event, or `webhook.test`.", "server.active"),
    createdAt: time,
    attempts: count("How often it was sent."),
    lastStatus: Type.Unsafe<number | null>({
      type: ["integer", "null"],
      description: "The HTTP status of the last answer. Null if there was none.",
      examples: [204],
    }),
    deliveredAt: nullableTime,
  },
  { title: "Delivery" },
);

const ofWebhooks = {
  listener: "account",
  tag: "Webhooks",
  extension: true,
  idempotency: "none",
  access: { kind: "session", scopes: [] },
} as const;

export const webhooks = {
  listWebhooks: operation({
    ...ofWebhooks,
    method: "GET",
    path: "/api/v1/webhooks",
    summary: "List webhooks",
    description: "Does not return the secrets.",
    answers: { 200: Type.Object({ webhooks: Type.Array(webhook) }) },
    errors: [],
  }),
  createWebhook: operation({
    ...ofWebhooks,
    method: "POST",
    path: "/api/v1/webhooks",
    summary: "Create a webhook",
    description: `Events are posted to the URL in the format of Standard Webhooks, at least once each, with retries for three days. Redirects are not followed. The secret is shown only once. An account can have up to ${webhooksPerAccount} webhooks.`,
    body: Type.Object(
      {
        url: Type.String({
          minLength: 1,
          maxLength: webhookUrlLength,
          description: "A public HTTPS URL.",
          examples: ["https://hooks.example.com/ironlease"],
          message: `must be a public HTTPS URL of at most ${webhookUrlLength} characters`,
        }),
        events: Type.Optional(
          Type.Array(words(eventTypes), {
            minItems: 1,
            maxItems: eventTypes.length,
            description: "All events when left out, including those of later versions.",
            message: "must be a list of events without repetitions",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 201: newWebhook },
    errors: ["limit_reached"],
  }),
  deleteWebhook: operation({
    ...ofWebhooks,
    method: "DELETE",
    path: "/api/v1/webhooks/{id}",
    summary: "Delete a webhook",
    description: "Ends its deliveries and deletes their log.",
    answers: { 204: null },
    errors: [],
  }),
  testWebhook: operation({
    ...ofWebhooks,
    method: "POST",
    path: "/api/v1/webhooks/{id}/test",
    summary: "Test a webhook",
    description:
      "Sends the event `webhook.test` soon after the answer. The log of deliveries shows what came of it. While a test still waits, another request answers with the same one.",
    answers: { 202: delivery },
    errors: ["conflict"],
  }),
  rotateWebhookSecret: operation({
    ...ofWebhooks,
    method: "POST",
    path: "/api/v1/webhooks/{id}/secret",
    summary: "Replace the secret of a webhook",
    description:
      "The new secret is shown only once. For 24 hours, messages are signed with the secret before it as well.",
    answers: { 200: newWebhook },
    errors: [],
  }),
  listDeliveries: operation({
    ...ofWebhooks,
    method: "GET",
    path: "/api/v1/webhooks/{id}/deliveries",
    summary: "List the deliveries of a webhook",
    description: "The 100 most recent of the last 30 days, newest first.",
    answers: { 200: Type.Object({ deliveries: Type.Array(delivery) }) },
    errors: [],
  }),
  redeliver: operation({
    ...ofWebhooks,
    method: "POST",
    path: "/api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver",
    summary: "Send a delivery again",
    description:
      "Sends the same message soon after the answer, whether it was delivered or not, with retries for three days.",
    answers: { 202: delivery },
    errors: ["conflict"],
  }),
};
