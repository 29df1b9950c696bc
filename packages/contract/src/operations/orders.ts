import { Type } from "typebox";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { catalogueId, id, time, usd } from "../schemas.ts";
import { term } from "./catalogue.ts";
import { sshPublicKey } from "./ssh-keys.ts";

const { quantity } = limits;

const status = Type.Unsafe<"ACCEPTED">({
  type: "string",
  enum: ["ACCEPTED"],
  description:
    "The order is recorded and provisioning starts. The status never changes: see the servers for progress.",
});

const order = Type.Object(
  {
    id: id("order"),
    status,
    configId: Type.String(),
    regionId: Type.String(),
    osId: Type.String(),
    term,
    quantity: Type.Integer(),
    totalUsd: usd,
    createdAt: time,
    serverIds: Type.Array(id("server")),
  },
  { title: "Order" },
);

export const orders = {
  placeOrder: operation({
    listener: "account",
    tag: "Orders",
    method: "POST",
    path: "/api/v1/orders",
    summary: "Order servers",
    description:
      "Charges the current catalogue price immediately and reserves the machines. The request contains no price.",
    extension: false,
    access: { kind: "session", scopes: [] },
    idempotency: "replay",
    body: Type.Object(
      {
        configId: catalogueId("configuration"),
        regionId: catalogueId("region"),
        osId: catalogueId("operating system"),
        term,
        quantity: Type.Integer({
          minimum: quantity.min,
          maximum: quantity.max,
          message: `must be a whole number from ${quantity.min} to ${quantity.max}`,
        }),
        sshPublicKey: Type.Optional(sshPublicKey),
      },
      { additionalProperties: false },
    ),
    answers: {
      201: Type.Object(
        { id: id("order"), status, totalUsd: usd, serverIds: Type.Array(id("server")) },
        { title: "PlacedOrder" },
      ),
    },
    errors: ["insufficient_balance", "capacity_exhausted"],
  }),
  listOrders: operation({
    listener: "account",
    tag: "Orders",
    method: "GET",
    path: "/api/v1/orders",
    summary: "List recent orders",
    description: "The 100 most recent, newest first.",
    extension: false,
    access: { kind: "session", scopes: ["read"] },
    idempotency: "none",
    answers: { 200: Type.Object({ orders: Type.Array(order) }) },
    errors: [],
  }),
};
