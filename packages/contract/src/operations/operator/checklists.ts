import { Type } from "typebox";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";
import { nullableText, nullableTime, text, words } from "../../schemas.ts";
import { serverActions } from "../servers.ts";

/** A kind of work or, for SERVER_ACTION, the action. */
export const checklistKinds = [
  "PROVISION",
  "WITHDRAWAL",
  "DDOS",
  "RECLAIM",
  ...serverActions,
] as const;

const { checklistLines, checklistLine } = limits;

const checklist = Type.Object(
  {
    kind: words(checklistKinds, {
      description: "A kind of work or, for SERVER_ACTION, the action.",
    }),
    lines: Type.Array(text("One step.", "Install the customer's SSH key")),
    changedBy: nullableText("The operator who changed it last. Null for the default.", "alice"),
    changedAt: nullableTime,
  },
  { title: "Checklist" },
);

export const checklists = {
  listChecklists: operation({
    ...asOperator("support"),
    tag: "Work",
    method: "GET",
    path: "/operator/v1/checklists",
    summary: "List checklists",
    description: "One for each kind of work, and for each server action.",
    answers: { 200: Type.Object({ checklists: Type.Array(checklist) }) },
    errors: [],
  }),
  setChecklist: operation({
    ...asOperator("admin"),
    tag: "Work",
    method: "PUT",
    path: "/operator/v1/checklists/{kind}",
    summary: "Set a checklist",
    description:
      "Work items that have not ended show the new lines at once. Ticked lines whose text is unchanged stay ticked.",
    body: Type.Object(
      {
        lines: Type.Array(
          Type.String({
            minLength: checklistLine.min,
            maxLength: checklistLine.max,
            message: `must be ${checklistLine.min} to ${checklistLine.max} characters`,
          }),
          {
            maxItems: checklistLines,
            examples: [["Install the ordered system", "Install the customer's SSH key"]],
            message: `must be a list of up to ${checklistLines} lines`,
          },
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 200: checklist },
    errors: [],
  }),
};
