import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { count, id, nullableText, nullableTime, text, time, usd, words } from "../../schemas.ts";
import { billing } from "../ledger.ts";
import { serverStates } from "../servers.ts";
import { afterId, asOperator, search } from "./fields.ts";
import { workKinds } from "./work.ts";

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

const day = Type.Object(
  { day: text("In UTC.", "2026-11-15"), usd: Type.Number() },
  { title: "DailySum" },
);

const openWork = Type.Object(
  {
    kind: words(workKinds),
    open: count("Open items."),
    claimed: count("Claimed items."),
    oldestAt: nullableTime,
    oldestAgeSeconds: Type.Unsafe<number | null>({
      type: ["integer", "null"],
      description: "How long the oldest that is not done has waited.",
    }),
  },
  { title: "OpenWork" },
);

const serverCount = Type.Object(
  { state: words(serverStates), count: Type.Integer() },
  { title: "ServerCount" },
);

const machineCount = Type.Object(
  { state: Type.String({ examples: ["FREE"] }), count: Type.Integer() },
  { title: "MachineCount" },
);

const customerDeposit = Type.Object(
  {
    ...billing.listDeposits.answers[200].properties.deposits.items.properties,
    accountId: Type.String(),
    username: Type.String(),
  },
  { title: "CustomerDeposit" },
);

const moment = (description: string) =>
  Type.Optional(
    Type.String({
      ...{ maxLength: 40, format: "date-time", description },
      message: "must be a time in UTC such as 2026-11-15T09:30:00.000Z",
    }),
  );

const ofOversight = { ...asOperator("support"), tag: "Oversight" } as const;

export const oversight = {
  readOverview: operation({
    ...ofOversight,
    method: "GET",
    path: "/operator/v1/overview",
    summary: "Read the front page's figures",
    answers: {
      200: Type.Object(
        {
          work: Type.Array(openWork),
          servers: Type.Array(serverCount),
          machines: Type.Array(machineCount),
          balancesUsd: Type.Number({ description: "What all customers may spend." }),
          heldUsd: usd,
          revenueByDay: Type.Array(day, { description: "Charges less refunds, the last 30 days." }),
          depositsByDay: Type.Array(day, { description: "Credited, the last 30 days." }),
          payoutsByDay: Type.Array(day, { description: "Withdrawals paid, the last 30 days." }),
        },
        { title: "Overview" },
      ),
    },
    errors: [],
  }),
  listAudit: operation({
    ...ofOversight,
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
  listAllDeposits: operation({
    ...ofOversight,
    method: "GET",
    path: "/operator/v1/deposits",
    summary: "List the deposits of all accounts",
    description: "Newest first, 100 a page.",
    query: Type.Object(
      {
        state: Type.Optional(words(["CONFIRMING", "CREDITED"])),
        query: search(
          "An address, a transaction or an account identifier.",
          "acc_01kfxq8n3ve7wt5c2m9hzr4d6y",
        ),
        after: afterId("deposit"),
      },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ deposits: Type.Array(customerDeposit) }) },
    errors: [],
  }),
  simulatePayment: operation({
    ...asOperator("finance"),
    tag: "Oversight",
    method: "POST",
    path: "/operator/v1/simulated-payments",
    summary: "Pay a simulated address",
    description:
      "Only with the simulated provider. The same `transactionId` again moves its confirmations.",
    body: Type.Object(
      {
        address: Type.String({
          minLength: 1,
          maxLength: 128,
          message: "must be a simulated address",
        }),
        amount: Type.String({
          ...{ minLength: 1, maxLength: 40 },
          pattern: "^\\d+(?:\\.\\d+)?$",
          description: "In the asset, as a decimal string.",
          message: "must be a decimal string such as 0.01",
        }),
        confirmations: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 1_000_000,
            message: "must be a whole number from 0",
          }),
        ),
        transactionId: Type.Optional(
          Type.String({
            ...{ minLength: 1, maxLength: 100 },
            pattern: "^[A-Za-z0-9_-]+$",
            message: "must be 1 to 100 letters, digits, hyphens or underscores",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 201: Type.Object({ transactionId: Type.String() }) },
    errors: ["settlement_unavailable"],
  }),
};
