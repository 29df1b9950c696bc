import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";
import { id, nullableText, text, time } from "../../schemas.ts";
import { assignment } from "../network.ts";
import { customerAccount, heldServer } from "./customers.ts";
import { machine } from "./machines.ts";
import { workItem } from "../../work-fields.ts";

const charge = Type.Object(
  {
    id: id("ledgerEntry"),
    createdAt: time,
    type: text("As in the ledger.", "RENEWAL_CHARGE"),
    amountUsd: Type.Number({ description: "The change of the balance: negative for a charge." }),
    description: text("As in the ledger.", "web1.example.com, weekly"),
  },
  { title: "ServerCharge" },
);

export const customerServers = {
  inspectServer: operation({
    ...asOperator("support"),
    tag: "Accounts",
    method: "GET",
    path: "/operator/v1/servers/{id}",
    summary: "Read a server with its records",
    description: "Also a terminated server, which has no addresses.",
    answers: {
      200: Type.Object(
        {
          server: heldServer,
          account: customerAccount,
          machine,
          assignments: Type.Array(assignment),
          work: Type.Array(workItem, { description: "The 100 most recent items, newest first." }),
          charges: Type.Array(charge, {
            description:
              "The 100 most recent ledger entries about the server, newest first, and the charge of its order, which may be for several servers.",
          }),
          threadId: nullableText(
            "The thread about the server. Null until the first message.",
            "thr_01kfxq8n3ve7wt5c2m9hzr4d6y",
          ),
        },
        { title: "CustomerServerDetail" },
      ),
    },
    errors: [],
  }),
};
