import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";
import { id, nullableText, nullableTime, text, time, words } from "../../schemas.ts";

const historyKinds = ["SERVER", "WORK", "RUN", "CHANGE"] as const;

const entry = Type.Object(
  {
    id: id("server", "The id of the server, work item, run or audit entry."),
    kind: words(historyKinds, {
      description:
        "A server on the machine, a work item of such a server, a run on the machine's controller, or a change by an operator.",
    }),
    at: { ...time, description: "When it began." },
    endedAt: {
      ...nullableTime,
      description: "When it ended. Null if it has not, and for changes.",
    },
    event: text(
      "The kind of work item, the program of the run, or the action in the audit log. ORDERED for a server.",
      "RECLAIM",
    ),
    state: nullableText("The state of the server, work item or run.", "DONE"),
    by: nullableText(
      "The username of the operator, or `system`. For a server, the customer's.",
      "ada",
    ),
    serverId: nullableText("The server that was on the machine.", "srv_01kfxq8n3ve7wt5c2m9hzr4d6y"),
    accountId: nullableText("The customer's account.", "acc_01kfxq8n3ve7wt5c2m9hzr4d6y"),
    hostname: nullableText("The server's host name.", "fra1-07.example.com"),
    workId: nullableText("The work item.", "wrk_01kfxq8n3ve7wt5c2m9hzr4d6y"),
    outcome: nullableText("The outcome of the work item in one word.", "WIPED"),
    note: nullableText("The operator's note or reason.", "Two passes."),
    detail: Type.Object({}, { additionalProperties: true, description: "What changed." }),
  },
  { title: "MachineHistoryEntry" },
);

export const machineHistory = {
  listMachineHistory: operation({
    ...asOperator("support"),
    tag: "Inventory",
    method: "GET",
    path: "/operator/v1/machines/{id}/history",
    summary: "List a machine's history",
    description: "Servers, work, runs and changes. Newest first, 100 per page.",
    query: Type.Object(
      {
        after: Type.Optional(
          Type.String({
            pattern: "^(?:[a-z]{3}_[0-9a-z]{26})?$",
            examples: ["wrk_01kfxq8n3ve7wt5c2m9hzr4d6y"],
            description: "The last id of the previous page. Omit it for the first page.",
            message: "must be the last id of the previous page",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ history: Type.Array(entry) }, { title: "MachineHistory" }) },
    errors: [],
  }),
};
