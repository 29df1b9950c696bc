import { Type } from "typebox";
import { id, nullableTime, text, time, words } from "../../schemas.ts";
import { networkList } from "../../network-fields.ts";
import { operation } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";
import { accounts } from "../accounts.ts";
import { session } from "../sessions.ts";
import { role } from "./operators.ts";

const record = {
  id: id("operator"),
  username: Type.String({ examples: ["alice"] }),
  role,
  createdAt: time,
  disabledAt: nullableTime,
  secondFactor: words(["on", "off"], { description: "An authenticator app or a passkey." }),
  allowedNetworks: Type.Unsafe<readonly string[] | null>({
    ...networkList,
    description: "The networks that the operator may sign in and work from. Null: anywhere.",
  }),
  lastSignInAt: nullableTime,
  lastSeenAt: nullableTime,
};

const operatorRecord = Type.Object(record, { title: "OperatorRecord" });

const withPassword = Type.Object(
  { ...record, password: text("Shown only once.", "4gxkd-92mtn-7hc3v-q8wzr") },
  { title: "OperatorWithPassword" },
);

const ofOperators = { ...asOperator("admin"), tag: "Operators" } as const;

export const operatorRecords = {
  listOperators: operation({
    ...ofOperators,
    method: "GET",
    path: "/operator/v1/operators",
    summary: "List operators",
    description: "By username, at most 1,000.",
    answers: { 200: Type.Object({ operators: Type.Array(operatorRecord) }) },
    errors: [],
  }),
  listAssignees: operation({
    ...asOperator("support"),
    tag: "Operators",
    method: "GET",
    path: "/operator/v1/assignees",
    summary: "List the operators that work can be assigned to",
    description: "Operators who are not disabled, by username, at most 1,000.",
    answers: {
      200: Type.Object({
        operators: Type.Array(
          Type.Object({ username: record.username, role }, { title: "Assignee" }),
        ),
      }),
    },
    errors: [],
  }),
  addOperator: operation({
    ...ofOperators,
    method: "POST",
    path: "/operator/v1/operators",
    summary: "Add an operator",
    description:
      "The password is shown only once. The operator can sign in with it at once and should change it.",
    body: Type.Object(
      { username: accounts.register.body.properties.username, role },
      { additionalProperties: false },
    ),
    answers: { 201: withPassword },
    errors: ["username_taken", "rate_limited"],
  }),
  changeOperator: operation({
    ...ofOperators,
    method: "PATCH",
    path: "/operator/v1/operators/{id}",
    summary: "Change role, status or networks of an operator",
    description:
      "Takes effect at once, also on requests that are still arriving. Disabling ends every session. The response is 409 `conflict` if no admin could sign in from your address afterwards, and if you limit yourself to networks without your own address and did not send `confirmLockout`.",
    body: Type.Object(
      {
        role: Type.Optional(role),
        disabled: Type.Optional(Type.Boolean({ message: "must be true or false" })),
        allowedNetworks: Type.Optional(
          Type.Unsafe<readonly string[] | null>({
            ...networkList,
            description:
              "Addresses and CIDRs. From elsewhere, signing in is refused like a wrong password, and sessions do not work. Null: anywhere.",
          }),
        ),
        confirmLockout: Type.Optional(
          Type.Boolean({
            description: "Send true to lock out the address that you use.",
            message: "must be true or false",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 200: operatorRecord },
    errors: ["conflict"],
  }),
  resetOperator: operation({
    ...ofOperators,
    method: "POST",
    path: "/operator/v1/operators/{id}/reset",
    summary: "Reset password and second factor of an operator",
    description:
      "For an operator who has lost one of them. Sets a new password, which is shown only once, removes authenticator app and passkeys, and ends every session. You cannot reset yourself.",
    answers: { 200: withPassword },
    errors: ["conflict", "rate_limited"],
  }),
  listOperatorSessions: operation({
    ...ofOperators,
    method: "GET",
    path: "/operator/v1/operators/{id}/sessions",
    summary: "List active sessions of an operator",
    answers: { 200: Type.Object({ sessions: Type.Array(session) }) },
    errors: [],
  }),
  endOperatorSession: operation({
    ...ofOperators,
    method: "DELETE",
    path: "/operator/v1/operators/{id}/sessions/{sessionId}",
    summary: "End a session of an operator",
    description: "Takes effect on its next request.",
    answers: { 204: null },
    errors: [],
  }),
};
