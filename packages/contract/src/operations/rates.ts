import { Type } from "typebox";
import { operation } from "../operation.ts";
import { text, time } from "../schemas.ts";
import { asset } from "./deposits.ts";

const exampleRate = { asset: "BTC", usd: "94250.00", at: "2026-11-15T09:30:00.000Z" };

const currentRate = Type.Object(
  {
    asset,
    usd: text("USD per coin, as a decimal string.", "94250.00"),
    at: { ...time, description: "When the rate was set or read from its sources." },
  },
  { title: "CurrentRate", examples: [exampleRate] },
);

export const rates = {
  listRates: operation({
    listener: "account",
    tag: "Billing",
    method: "GET",
    path: "/api/v1/rates",
    summary: "List rates",
    description:
      "The rates at which deposits would be credited now. Assets that are not connected or have no current rate are left out: their deposits are credited at the next rate.",
    extension: true,
    access: { kind: "public" },
    idempotency: "none",
    answers: { 200: Type.Object({ rates: Type.Array(currentRate) }) },
    errors: [],
  }),
};
