import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";
import { count, nullableTime, text, time, usd, words } from "../../schemas.ts";
import { workKinds } from "../../work-fields.ts";
import { serverStates } from "../../server-fields.ts";

const day = Type.Object(
  { day: text("UTC.", "2026-11-15"), usd: Type.Number() },
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
      description: "Age of the oldest item that is not done.",
    }),
    targetSeconds: count("How long an item of this kind should take."),
    overdue: count("Open and claimed items that have taken longer than their target."),
  },
  { title: "OpenWork" },
);

const serverCount = Type.Object(
  { state: words(serverStates), count: Type.Integer() },
  { title: "ServerCount" },
);

const machineCount = Type.Object(
  {
    state: Type.String({ examples: ["FREE"] }),
    count: count("FREE counts machines for sale, without those that are kept out of sale."),
  },
  { title: "MachineCount" },
);

const reverseDnsFigure = Type.Object(
  {
    pending: count("Records that are not published yet."),
    failed: count("Records that could not be published."),
    oldestAgeMs: count("For how long the oldest of them differs from its setting. 0 for none."),
  },
  { title: "ReverseDnsFigure" },
);

export const overview = {
  readOverview: operation({
    ...asOperator("support"),
    tag: "Oversight",
    method: "GET",
    path: "/operator/v1/overview",
    summary: "Read the overview",
    answers: {
      200: Type.Object(
        {
          work: Type.Array(openWork),
          servers: Type.Array(serverCount),
          machines: Type.Array(machineCount),
          balancesUsd: Type.Number({ description: "Total available balance of all customers." }),
          heldUsd: usd,
          fundsAt: Type.String({
            ...time,
            description: "*Extension.* When both sums were read: at most a minute ago.",
          }),
          reverseDns: Type.Union([reverseDnsFigure, Type.Null()], {
            description:
              "*Extension.* How far reverse DNS is published. Null if no DNS server is connected.",
          }),
          revenueByDay: Type.Array(day, {
            description: "Charges minus refunds for the last 30 days.",
          }),
          depositsByDay: Type.Array(day, {
            description: "Credited deposits for the last 30 days.",
          }),
          payoutsByDay: Type.Array(day, { description: "Paid withdrawals for the last 30 days." }),
        },
        { title: "Overview" },
      ),
    },
    errors: [],
  }),
};
