import { Type } from "typebox";
import { credential } from "../credential-fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { nullableText, nullableTime, time, words } from "../schemas.ts";

/** The kinds of e-mail that a customer can unsubscribe from. Mails about security are always sent. */
export const mailKinds = ["SERVERS", "WITHDRAWALS", "SIGN_INS", "MESSAGES"] as const;
export type SubscribedMailKind = (typeof mailKinds)[number];

const meaning =
  "SERVERS: a server enters its grace period or ends. WITHDRAWALS: a withdrawal is paid or rejected. " +
  "SIGN_INS: a sign-in from a new network. MESSAGES: a message from the operators, without its text.";

const pending = Type.Object(
  {
    email: Type.String({ examples: ["ada@new.example"] }),
    expiresAt: time,
  },
  { title: "PendingEmail" },
);

const contact = Type.Object(
  {
    offered: Type.Boolean({ description: "False when the service sends no e-mail." }),
    email: nullableText("The confirmed address, or null.", "ada@example.com"),
    confirmedAt: nullableTime,
    refusedAt: Type.Unsafe<string | null>({
      ...nullableTime,
      description:
        "When the mail server refused the address for good. Nothing is sent to it until it is confirmed again.",
    }),
    pending: Type.Union([pending, Type.Null()], {
      description: "An address that waits for its code. The confirmed one stays in use until then.",
      examples: [null],
    }),
    unsubscribed: Type.Array(words(mailKinds), {
      description: `The kinds of e-mail that are not sent. ${meaning}`,
    }),
  },
  { title: "Contact" },
);

const ofContact = {
  listener: "account",
  tag: "Contact",
  idempotency: "none",
  extension: true,
  access: { kind: "session", scopes: [] },
} as const;

export const contacts = {
  readContact: operation({
    ...ofContact,
    method: "GET",
    path: "/api/v1/contact",
    summary: "Read the contact",
    description:
      "Where the service sends e-mail about the account. When the service sends none, `offered` is false and changes answer 404.",
    answers: { 200: contact },
    errors: [],
  }),
  setContact: operation({
    ...ofContact,
    method: "PUT",
    path: "/api/v1/contact",
    summary: "Set the contact",
    description:
      "Sends a code to the address, which takes effect when the code is confirmed. The confirmed address itself needs no code: sending it again only cancels a change that waits for its code.",
    body: Type.Object(
      {
        email: Type.String({
          minLength: 3,
          maxLength: limits.emailLength,
          examples: ["ada@example.com"],
          message: `must be an e-mail address of at most ${limits.emailLength} characters`,
        }),
        unsubscribed: Type.Optional(
          Type.Array(words(mailKinds), {
            maxItems: mailKinds.length,
            description: `The kinds of e-mail not to send. Left out, they stay. ${meaning}`,
            message: `must be a list of ${mailKinds.join(", ")}`,
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 200: contact },
    errors: ["not_found", "rate_limited"],
  }),
  confirmContact: operation({
    ...ofContact,
    method: "POST",
    path: "/api/v1/contact/confirm",
    summary: "Confirm the contact",
    description:
      "Takes the code from the e-mail. The address replaces the one before. The service sends a last mail about it to the old address.",
    body: Type.Object(
      { code: credential(limits.recoveryCode.max) },
      { additionalProperties: false },
    ),
    answers: { 200: contact },
    errors: ["not_found", "invalid_credentials", "conflict", "rate_limited"],
  }),
  removeContact: operation({
    ...ofContact,
    method: "DELETE",
    path: "/api/v1/contact",
    summary: "Remove the contact",
    description: "The service sends a last mail to the address, and then no more.",
    answers: { 204: null },
    errors: ["not_found"],
  }),
};
