import { Type } from "typebox";
import { checklistLine, delivery } from "../../delivery-fields.ts";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { afterId, asOperator, reason } from "../../operator-fields.ts";
import { id, nullableText, nullableTime, text, time, usdInRequest, words } from "../../schemas.ts";

export const workKinds = ["PROVISION", "SERVER_ACTION", "WITHDRAWAL", "DDOS", "RECLAIM"] as const;
export const workStates = ["OPEN", "WAITING", "CLAIMED", "DONE", "FAILED"] as const;

const kind = words(workKinds);
const state = words(workStates, {
  description:
    "An item becomes OPEN again when the lease of its claim expires. WAITING means that the customer has a quote to accept.",
});

const approval = Type.Object(
  {
    operator: Type.String({ examples: ["alice"] }),
    at: time,
    transactionId: Type.Optional(
      text(
        "The transaction named with the approval. The withdrawal has already been paid: do not pay it again.",
      ),
    ),
    note: Type.Optional(Type.String()),
    voidedAt: Type.Optional({
      ...time,
      description: "When the operator was disabled. The approval no longer counts.",
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
    claimedBy: nullableText("The operator who claimed or ended the item."),
    leaseUntil: nullableTime,
    accountId: Type.String(),
    username: Type.String({ description: "The customer." }),
    orderId: Type.Optional(Type.String()),
    serverId: Type.Optional(Type.String()),
    actionId: Type.Optional(
      text("The customer's request behind a SERVER_ACTION. Omitted if an operator requested it."),
    ),
    withdrawalId: Type.Optional(Type.String()),
    payoutId: Type.Optional(
      Type.String({
        description:
          "The payout that pays the withdrawal. Until it is cancelled, nothing else can.",
        examples: ["pay_01kfxq8n3ve7wt5c2m9hzr4d6y"],
      }),
    ),
    assetTag: Type.Optional(Type.String({ description: "The label on the machine." })),
    detail: Type.Object(
      {},
      { additionalProperties: true, description: "What the operator needs to do the work." },
    ),
    approvals: Type.Array(approval, {
      description: "Approvals of a large withdrawal so far.",
    }),
    note: nullableText("The note of the operator who ended the item."),
    outcome: nullableText("The outcome in one word."),
    endedAt: nullableTime,
    waitingSince: Type.Optional({
      ...time,
      description: "When the quote was offered that the customer has not accepted yet.",
    }),
    delivery: Type.Optional(delivery),
    checklist: Type.Optional(
      Type.Array(checklistLine, {
        description:
          "The lines of the [checklist](#tag/work). Of an item that has ended, those that were ticked. Not in lists.",
      }),
    ),
  },
  { title: "WorkItem" },
);

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
    description: "Oldest first, 100 per page.",
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
    summary: "Read a work item",
    answers: { 200: item },
    errors: [],
  }),
  claimWork: operation({
    ...ofWork,
    method: "POST",
    path: "/operator/v1/work/{id}/claim",
    summary: "Claim a work item",
    description:
      "The claim is a lease of 30 minutes. Claim again to renew it. Claiming a PROVISION reserves the addresses in `delivery`. The item keeps them when it is released or the lease expires, and until it is completed, failed or cancelled. If the region has no free address, the claim succeeds, and `delivery.problem` says what to do. Claiming a WITHDRAWAL fixes what it pays: `detail.amount` in coins at `detail.rate`, rounded down, until the claim ends. Without a fresh rate both are null and `detail.amountError` says why.",
    answers: { 200: item },
    errors: ["conflict", "role_forbidden"],
  }),
  releaseWork: operation({
    ...ofWork,
    method: "POST",
    path: "/operator/v1/work/{id}/release",
    summary: "Release a work item",
    answers: { 200: item },
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
    answers: { 200: item },
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
    answers: { 200: item },
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
    answers: { 200: item },
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
    answers: { 200: item },
    errors: ["conflict", "role_forbidden"],
  }),
};
