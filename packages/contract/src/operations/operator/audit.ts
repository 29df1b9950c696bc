import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { afterId, asOperator, search } from "../../operator-fields.ts";
import { id, nullableText, text, time } from "../../schemas.ts";

export const auditEntry = Type.Object(
  {
    id: id("auditEntry"),
    at: time,
    actor: id("account", "The identifier of an account or an operator, `system` or `nobody`."),
    actorName: nullableText("The username of that account or operator."),
    action: text("What was done.", "withdrawal.request"),
    subject: id("withdrawal", "To what."),
    detail: Type.Object({}, { additionalProperties: true }),
    ipAddress: Type.String(),
  },
  { title: "AuditEntry" },
);

const moment = (description: string) =>
  Type.Optional(
    Type.String({
      ...{ maxLength: 40, format: "date-time", description },
      message: "must be a time in UTC such as 2026-11-15T09:30:00.000Z",
    }),
  );

export const audit = {
  listAudit: operation({
    ...asOperator("support"),
    tag: "Oversight",
    method: "GET",
    path: "/operator/v1/audit",
    summary: "Read the audit",
    description: "Who did what to what, when, from where. Newest first, 100 a page.",
    query: Type.Object(
      {
        actor: search(
          "An identifier, the username of an operator or an account, `system` or `nobody`.",
          "alice",
        ),
        action: search(
          "An action, or with a dot at its end the beginning of one: `withdrawal.`.",
          "withdrawal.",
        ),
        subject: search("An identifier.", "wdr_01kfxq8n3ve7wt5c2m9hzr4d6y"),
        since: moment("From this time on."),
        until: moment("Before this time."),
        after: afterId("auditEntry"),
      },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ entries: Type.Array(auditEntry) }) },
    errors: [],
  }),
};
