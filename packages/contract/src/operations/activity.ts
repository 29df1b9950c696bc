import { Type } from "typebox";
import { operation } from "../operation.ts";
import { afterId } from "../operator-fields.ts";
import { id, nullableText, text, time } from "../schemas.ts";

const activityEntry = Type.Object(
  {
    id: id("auditEntry"),
    at: time,
    action: text("What happened.", "session.start"),
    subject: id("account", "The id of what it happened to."),
    ipAddress: nullableText(
      "Where the request came from. Null if an operator or the service did it.",
      "192.0.2.7",
    ),
  },
  { title: "ActivityEntry" },
);

export const activity = {
  listActivity: operation({
    listener: "account",
    tag: "Access",
    method: "GET",
    path: "/api/v1/activity",
    summary: "List the account's activity",
    description:
      "Sign-ins, refused sign-ins, changes that you made, and what operators did to the account. Newest first, 100 per page.",
    extension: true,
    access: { kind: "session", scopes: [] },
    idempotency: "none",
    query: Type.Object({ after: afterId("auditEntry") }, { additionalProperties: false }),
    answers: { 200: Type.Object({ entries: Type.Array(activityEntry) }) },
    errors: [],
  }),
};
