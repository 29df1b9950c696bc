import { Type } from "typebox";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { afterId, asOperator, assignee, minimumAge, reason } from "../../operator-fields.ts";
import { usdInRequest, words } from "../../schemas.ts";
import { workItem, workKind, workState } from "../../work-fields.ts";

const note = Type.Optional(
  Type.String({
    maxLength: 2_000,
    description:
      "What you did, saw or agreed. Sent to the customer with the outcome, unless it records an approval.",
    message: "must be at most 2000 characters",
  }),
);

/** A DDoS quote per term. */
export const quoteRule = `must be an amount in USD from 0 to ${limits.quoteCents / 100}, with at most two decimals`;

export const ofWork = { ...asOperator("support"), tag: "Work" } as const;

export const work = {
  listWork: operation({
    ...ofWork,
    method: "GET",
    path: "/operator/v1/work",
    summary: "List work items",
    description: "Oldest first, 100 per page. Several filters apply together.",
    query: Type.Object(
      {
        kind: Type.Optional(workKind),
        state: Type.Optional(workState),
        regionId: Type.Optional(Type.String({ maxLength: 64, message: "must be a region id" })),
        accountId: Type.Optional(Type.String({ maxLength: 64, message: "must be an account id" })),
        operator: Type.Optional(
          Type.String({
            maxLength: 64,
            description:
              "An operator's username: items that are assigned to this operator, and those that this operator holds or has ended.",
            examples: ["alice"],
            message: "must be an operator's username",
          }),
        ),
        minimumAgeHours: minimumAge("Only items that were queued at least this long ago."),
        overdue: Type.Optional(
          words(["true"], {
            description: "Only items that have taken longer than their target.",
            message: "must be true",
          }),
        ),
        after: afterId("work"),
      },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ work: Type.Array(workItem) }) },
    errors: [],
  }),
  readWork: operation({
    ...ofWork,
    method: "GET",
    path: "/operator/v1/work/{id}",
    summary: "Read a work item",
    answers: { 200: workItem },
    errors: [],
  }),
  claimWork: operation({
    ...ofWork,
    method: "POST",
    path: "/operator/v1/work/{id}/claim",
    summary: "Claim a work item",
    description:
      "The claim is a lease of 30 minutes. Claim again to renew it. Claiming a PROVISION reserves the addresses in `delivery`. The item keeps them when it is released or the lease expires, and until it is completed, failed or cancelled. If the region has no free address, the claim succeeds, and `delivery.problem` says what to do. Claiming a WITHDRAWAL fixes what it pays: `detail.amount` in coins at `detail.rate`, rounded down, until the claim ends. Without a fresh rate both are null and `detail.amountError` says why.",
    answers: { 200: workItem },
    errors: ["conflict", "role_forbidden"],
  }),
  releaseWork: operation({
    ...ofWork,
    method: "POST",
    path: "/operator/v1/work/{id}/release",
    summary: "Release a work item",
    answers: { 200: workItem },
    errors: ["conflict", "role_forbidden"],
  }),
  assignWork: operation({
    ...ofWork,
    method: "POST",
    path: "/operator/v1/work/{id}/assign",
    summary: "Assign a work item",
    description:
      "Says who should do it, and changes no claim: any operator can still claim it. The operator must be enabled and have the role for the item's kind.",
    body: Type.Object({ operator: assignee }, { additionalProperties: false }),
    answers: { 200: workItem },
    errors: ["conflict", "role_forbidden"],
  }),
  offerQuote: operation({
    ...ofWork,
    method: "POST",
    path: "/operator/v1/work/{id}/quote",
    summary: "Offer a quote for DDoS mode ADVANCED",
    description:
      "Needs the claim on the customer's request, which is then WAITING for 14 days. Claim it again to offer another price. Once the customer accepts, it is OPEN again, and the price is fixed.",
    body: Type.Object(
      { quoteUsd: usdInRequest(quoteRule) },
      { additionalProperties: false, examples: [{ quoteUsd: 50 }] },
    ),
    answers: { 200: workItem },
    errors: ["conflict", "role_forbidden"],
  }),
  tickWork: operation({
    ...ofWork,
    method: "PUT",
    path: "/operator/v1/work/{id}/checklist",
    summary: "Tick a line of a work item's checklist",
    description:
      "Needs the claim. The ticks stay with the item when another operator claims it. They help operators and have no effect: an item can be completed with lines that are not ticked.",
    body: Type.Object(
      {
        line: Type.String({
          minLength: limits.checklistLine.min,
          maxLength: limits.checklistLine.max,
          description: "The text of the line.",
          message: `must be ${limits.checklistLine.min} to ${limits.checklistLine.max} characters`,
        }),
        ticked: Type.Boolean({ message: "must be true or false" }),
      },
      {
        additionalProperties: false,
        examples: [{ line: "Install the customer's SSH key", ticked: true }],
      },
    ),
    answers: { 200: workItem },
    errors: ["conflict", "role_forbidden"],
  }),
  completeWork: operation({
    ...ofWork,
    method: "POST",
    path: "/operator/v1/work/{id}/complete",
    summary: "Complete a work item",
    description:
      "PROVISION takes `hostname`, WITHDRAWAL takes `transactionId` and DDOS takes `quoteUsd`; every kind takes `note`. Completing ADVANCED charges the rest of the current term of the quote that the customer accepted, and adds the quote to every renewal. Without an offer, `quoteUsd` records the price that the customer agreed with you, 0 by default. If the balance does not cover the charge, nothing is applied, and the customer gets a message. The effect and the completion are one transaction. A withdrawal at or above the configured amount needs two operators: the first completion records an approval and the item becomes OPEN again. If both operators name a transaction, the ids must match. Approvals by operators who have since been disabled do not count. On a connected chain the transaction must pay at least `detail.amount` to the destination, and no other withdrawal; otherwise the answer is 409 with the reason. For Monero, send the id, a colon and the transaction key. If the node cannot be asked, the answer is 503: `unverified` with a `note` completes the item all the same.",
    body: Type.Object(
      {
        hostname: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: limits.hostNameLength,
            message:
              "must be a host name: labels of letters, digits and inner hyphens, separated by dots",
          }),
        ),
        transactionId: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: limits.transactionIdLength,
            pattern: "^\\S+$",
            message: `must be 1 to ${limits.transactionIdLength} characters without spaces`,
          }),
        ),
        quoteUsd: Type.Optional(usdInRequest(quoteRule)),
        unverified: Type.Optional(
          Type.Boolean({
            description:
              "Only with WITHDRAWAL: complete it although no node can be asked about the transaction. Has no effect if the node answers. Needs a `note`, and is audited.",
            message: "must be true or false",
          }),
        ),
        note,
      },
      {
        additionalProperties: false,
        examples: [{ hostname: "web1.example.com", note: "Rack A1, unit 7." }],
      },
    ),
    answers: { 200: workItem },
    errors: ["conflict", "insufficient_balance", "role_forbidden", "settlement_unavailable"],
  }),
  failWork: operation({
    ...ofWork,
    method: "POST",
    path: "/operator/v1/work/{id}/fail",
    summary: "Fail a work item",
    description:
      "PROVISION refunds the server's share of the order and sets its machine to `machineState`. WITHDRAWAL releases the hold. DDOS clears the request. One operator can reject a withdrawal, even after an approval.",
    body: Type.Object(
      {
        reason,
        machineState: Type.Optional(
          words(["DIRTY", "RETIRED", "FREE"], {
            description:
              "Only with PROVISION: the new state of the machine. DIRTY (default) means inspect and wipe, RETIRED out of service, FREE available again immediately.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 200: workItem },
    errors: ["conflict", "role_forbidden"],
  }),
};
