import { Type } from "typebox";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { afterId, asOperator, reason } from "../../operator-fields.ts";
import { id, nullableText, nullableTime, text, time, usdInRequest, words } from "../../schemas.ts";

export const workKinds = ["PROVISION", "SERVER_ACTION", "WITHDRAWAL", "DDOS", "RECLAIM"] as const;
export const workStates = ["OPEN", "CLAIMED", "DONE", "FAILED"] as const;

const kind = words(workKinds);
const state = words(workStates, {
  description: "A claim whose lease has lapsed is OPEN again.",
});

const approval = Type.Object(
  {
    operator: Type.String({ examples: ["alice"] }),
    at: time,
    transactionId: Type.Optional(
      text("Given with the approval: it has been paid already, and must not be paid again."),
    ),
    note: Type.Optional(Type.String()),
    voidedAt: Type.Optional({
      ...time,
      description: "When the operator was disabled. The approval does not count.",
    }),
  },
  { title: "Approval" },
);

const item = Type.Object(
  {
    id: id("work"),
    kind,
    state,
    createdAt: time,
    claimedBy: nullableText("The operator who has claimed it, or who ended it."),
    leaseUntil: nullableTime,
    accountId: Type.String(),
    username: Type.String({ description: "The customer's." }),
    orderId: Type.Optional(Type.String()),
    serverId: Type.Optional(Type.String()),
    actionId: Type.Optional(
      text("With a SERVER_ACTION that the customer asked for; without one, an operator did."),
    ),
    withdrawalId: Type.Optional(Type.String()),
    assetTag: Type.Optional(
      Type.String({ description: "What stands on the front of the machine that it is about." }),
    ),
    detail: Type.Object(
      {},
      { additionalProperties: true, description: "What one needs to know to do it." },
    ),
    approvals: Type.Array(approval, {
      description: "Who has approved a large withdrawal so far.",
    }),
    note: nullableText("The note of the operator who ended it."),
    outcome: nullableText("What came of it, in a word."),
    endedAt: nullableTime,
  },
  { title: "WorkItem" },
);

const note = Type.Optional(
  Type.String({
    maxLength: 2_000,
    description: "Evidence: what was done, seen or agreed.",
    message: "must be at most 2000 characters",
  }),
);

const ofWork = { ...asOperator("support"), tag: "Work" } as const;

export const work = {
  listWork: operation({
    ...ofWork,
    method: "GET",
    path: "/operator/v1/work",
    summary: "List work",
    description: "The oldest first, 100 a page.",
    query: Type.Object(
      { kind: Type.Optional(kind), state: Type.Optional(state), after: afterId("work") },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ work: Type.Array(item) }) },
    errors: [],
  }),
  readWork: operation({
    ...ofWork,
    method: "GET",
    path: "/operator/v1/work/{id}",
    summary: "Read one item of work",
    answers: { 200: item },
    errors: [],
  }),
  claimWork: operation({
    ...ofWork,
    method: "POST",
    path: "/operator/v1/work/{id}/claim",
    summary: "Claim work",
    description: "A lease of 30 minutes. Claiming again renews it.",
    answers: { 200: item },
    errors: ["conflict", "role_forbidden"],
  }),
  releaseWork: operation({
    ...ofWork,
    method: "POST",
    path: "/operator/v1/work/{id}/release",
    summary: "Give claimed work back",
    answers: { 200: item },
    errors: ["conflict", "role_forbidden"],
  }),
  completeWork: operation({
    ...ofWork,
    method: "POST",
    path: "/operator/v1/work/{id}/complete",
    summary: "Complete claimed work",
    description:
      "PROVISION takes `hostname`, WITHDRAWAL `transactionId`, DDOS `quoteUsd`; all take a `note`. The effect and the end of the item are one transaction. A withdrawal at or above the configured sum needs a second operator: the first completion records an approval and the item is OPEN again. If both name a transaction, the ids must be the same. Approvals of an operator who was disabled since do not count.",
    body: Type.Object(
      {
        hostname: Type.Optional(
          Type.String({
            ...{ minLength: 1, maxLength: limits.hostNameLength },
            message: "must be labels of letters, digits and inner hyphens",
          }),
        ),
        transactionId: Type.Optional(
          Type.String({
            ...{ minLength: 1, maxLength: limits.transactionIdLength },
            pattern: "^\\S+$",
            message: `must be 1 to ${limits.transactionIdLength} characters without spaces`,
          }),
        ),
        quoteUsd: Type.Optional(usdInRequest("must be USD from 0 with at most two decimals")),
        note,
      },
      {
        additionalProperties: false,
        examples: [{ hostname: "web1.example.com", note: "Rack A1, unit 7." }],
      },
    ),
    answers: { 200: item },
    errors: ["conflict", "role_forbidden"],
  }),
  failWork: operation({
    ...ofWork,
    method: "POST",
    path: "/operator/v1/work/{id}/fail",
    summary: "Fail claimed work",
    description:
      "PROVISION refunds the server's share and leaves its machine in `machineState`, WITHDRAWAL releases the hold, DDOS clears the request. Saying no takes one operator, also when a withdrawal has been approved before.",
    body: Type.Object(
      {
        reason,
        machineState: Type.Optional(
          words(["DIRTY", "RETIRED", "FREE"], {
            description:
              "What becomes of the machine of a failed PROVISION: DIRTY (the default: to be inspected and wiped), RETIRED (out of service) or FREE (for sale again at once). An error with any other kind.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 200: item },
    errors: ["conflict", "role_forbidden"],
  }),
};
