import { Type } from "typebox";
import { operation } from "../operation.ts";
import { id, text, time } from "../schemas.ts";

const record = Type.Object(
  {
    operation: text("The `operationId` of the request.", "requestWithdrawal"),
    createdAt: time,
    reference: Type.Union(
      [
        Type.Object(
          {
            kind: text("What was created or changed.", "withdrawal"),
            id: id("withdrawal"),
          },
          { title: "KeyReference" },
        ),
        Type.Null(),
      ],
      { description: "Null if the request was recorded before references were." },
    ),
  },
  { title: "KeyRecord" },
);

export const idempotencyKeys = {
  findIdempotencyKey: operation({
    listener: "account",
    tag: "Service",
    method: "GET",
    path: "/api/v1/idempotency-keys/{key}",
    summary: "Find what an Idempotency-Key was used for",
    description:
      "After a lost response: the requests of this account that took effect with the key, at most one for each operation. 404 means that none did so far.",
    extension: true,
    idempotency: "none",
    access: { kind: "session", scopes: [] },
    answers: { 200: Type.Object({ records: Type.Array(record) }) },
    errors: [],
  }),
};
