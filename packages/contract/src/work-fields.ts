import { Type, type Static } from "typebox";
import { checklistLine, delivery } from "./delivery-fields.ts";
import { count, id, nullableText, nullableTime, text, time, usd, words } from "./schemas.ts";

export const workKinds = ["PROVISION", "SERVER_ACTION", "WITHDRAWAL", "DDOS", "RECLAIM"] as const;
export const workStates = ["OPEN", "WAITING", "CLAIMED", "DONE", "FAILED"] as const;

export const workKind = words(workKinds);
export const workState = words(workStates, {
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

const accessChange = Type.Object(
  {
    action: text("As in the audit log.", "account.change_password"),
    at: time,
  },
  { title: "AccessChange" },
);

const withdrawalReview = Type.Object(
  {
    operatorsNeeded: Type.Integer({ description: "How many operators must complete it: 1 or 2." }),
    accountCreatedAt: time,
    deposits: count("Credited deposits of the account, at most 1000."),
    depositedUsd: { ...usd, description: "Their sum." },
    paidWithdrawals: count("Earlier withdrawals that were paid, at most 1000."),
    paidUsd: { ...usd, description: "Their sum." },
    paidToDestination: count("How many of them went to the same destination."),
    accessChange: Type.Unsafe<Static<typeof accessChange> | null>({
      anyOf: [accessChange, { type: "null" }],
      description:
        "The latest change of the password, recovery of the account or removal of its second factor.",
    }),
  },
  {
    title: "WithdrawalReview",
    description: "The history of the account. Only with WITHDRAWAL, and not in lists.",
  },
);

export const workItem = Type.Object(
  {
    id: id("work"),
    kind: workKind,
    state: workState,
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
    regionId: Type.Optional(text("The server's region.", "fra")),
    assignedTo: nullableText(
      "The operator who should do it. Any other operator can still claim it.",
      "alice",
    ),
    dueAt: {
      ...nullableTime,
      description:
        "When it should be done, as `IRONLEASE_WORK_TARGETS` says. Null when it has ended or waits for the customer.",
    },
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
    review: Type.Optional(withdrawalReview),
    checklist: Type.Optional(
      Type.Array(checklistLine, {
        description:
          "The lines of the [checklist](#tag/work). Of an item that has ended, those that were ticked. Not in lists.",
      }),
    ),
  },
  { title: "WorkItem" },
);
