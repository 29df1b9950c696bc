import { Type } from "typebox";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { afterId, asOperator } from "../../operator-fields.ts";
import { id, text, time } from "../../schemas.ts";

const note = Type.Object(
  {
    id: id("accountNote"),
    createdAt: time,
    operator: text("The operator who wrote it.", "alice"),
    text: text("Plain text.", "Called about the invoice. Wants it by post."),
  },
  { title: "AccountNote" },
);

const ofNotes = {
  ...asOperator("support"),
  tag: "Accounts",
  path: "/operator/v1/accounts/{id}/notes",
} as const;

export const accountNotes = {
  listAccountNotes: operation({
    ...ofNotes,
    method: "GET",
    summary: "List the operators' notes on an account",
    description: "Newest first, 100 per page. The customer never sees them.",
    query: Type.Object({ after: afterId("accountNote") }, { additionalProperties: false }),
    answers: { 200: Type.Object({ notes: Type.Array(note) }) },
    errors: [],
  }),
  addAccountNote: operation({
    ...ofNotes,
    method: "POST",
    summary: "Add a note on an account",
    description:
      "For operators only. A note cannot be changed or removed. Closing the account erases its notes.",
    idempotency: "replay",
    body: Type.Object(
      {
        text: Type.String({
          minLength: limits.accountNote.min,
          maxLength: limits.accountNote.max,
          message: `must be ${limits.accountNote.min} to ${limits.accountNote.max} characters`,
        }),
      },
      {
        additionalProperties: false,
        examples: [{ text: "Called about the invoice. Wants it by post." }],
      },
    ),
    answers: { 201: Type.Object({ id: id("accountNote") }, { title: "AddedNote" }) },
    errors: ["conflict"],
  }),
};
