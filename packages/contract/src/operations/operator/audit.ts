import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { afterId, asOperator, search } from "../../operator-fields.ts";
import { id, nullableText, text, time } from "../../schemas.ts";

export const auditEntry = Type.Object(
  {
    id: id("auditEntry"),
    at: time,
    actor: id("account", "An account or operator id, `system` or `nobody`."),
    actorName: nullableText("The username of the account or operator."),
    action: text("The action.", "withdrawal.request"),
    subject: id("withdrawal", "The id of the object of the action."),
    detail: Type.Object({}, { additionalProperties: true }),
    ipAddress: Type.String(),
  },
  { title: "AuditEntry" },
);

const moment = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 40,
      format: "date-time",
      description,
      message: "must be a time in UTC such as 2026-11-15T09:30:00.000Z",
    }),
  );

export const audit = {
  listAudit: operation({
    ...asOperator("support"),
    tag: "Oversight",
    method: "GET",
    path: "/operator/v1/audit",
    summary: "List audit entries",
    description: "Actor, action, object, time and IP address. Newest first, 100 per page.",
    query: Type.Object(
      {
        actor: search(
          "An id, the username of an operator or an account, `system` or `nobody`.",
          "alice",
        ),
        action: search(
          "An action, or a prefix that ends with a dot: `withdrawal.`.",
          "withdrawal.",
        ),
        subject: search("An id.", "wdr_01kfxq8n3ve7wt5c2m9hzr4d6y"),
        since: moment("At or after this time."),
        until: moment("Before this time."),
        after: afterId("auditEntry"),
      },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ entries: Type.Array(auditEntry) }) },
    errors: [],
  }),
};
