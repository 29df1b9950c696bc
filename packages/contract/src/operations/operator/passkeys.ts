import { Type } from "typebox";
import { csrfToken } from "../../credential-fields.ts";
import { operation } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";
import {
  assertionBody,
  creationOptions,
  passkey,
  passkeyBody,
  requestOptions,
} from "../../passkey-fields.ts";
import { role } from "./operators.ts";

const ofPasskeys = { ...asOperator("support"), tag: "Operator access" } as const;

export const operatorPasskeys = {
  listOperatorPasskeys: operation({
    ...ofPasskeys,
    method: "GET",
    path: "/operator/v1/passkeys",
    summary: "List the operator's passkeys",
    description: "Your own, newest first.",
    secondFactor: "not_needed",
    answers: { 200: Type.Object({ passkeys: Type.Array(passkey) }) },
    errors: [],
  }),
  beginOperatorPasskey: operation({
    ...ofPasskeys,
    method: "POST",
    path: "/operator/v1/auth/passkeys/begin",
    summary: "Start adding an operator's passkey",
    description:
      "Returns options for `navigator.credentials.create()`. Call it within 15 minutes of signing in; later the response is 409 `conflict`, and you must sign in again.",
    secondFactor: "not_needed",
    answers: { 200: Type.Object({ options: creationOptions }) },
    errors: ["conflict", "limit_reached"],
  }),
  finishOperatorPasskey: operation({
    ...ofPasskeys,
    method: "POST",
    path: "/operator/v1/auth/passkeys/finish",
    summary: "Add an operator's passkey",
    description:
      "From now on the passkey signs in by itself and counts as second factor. Ends every other session of the operator.",
    secondFactor: "not_needed",
    body: passkeyBody,
    answers: { 201: passkey },
    errors: ["invalid_credentials", "conflict", "limit_reached"],
  }),
  removeOperatorPasskey: operation({
    ...ofPasskeys,
    method: "DELETE",
    path: "/operator/v1/passkeys/{id}",
    summary: "Remove an operator's passkey",
    description:
      "It can no longer sign in. Call it within 15 minutes of signing in; later the response is 409 `conflict`, and you must sign in again.",
    secondFactor: "not_needed",
    answers: { 204: null },
    errors: ["conflict"],
  }),
  beginOperatorPasskeySignIn: operation({
    ...ofPasskeys,
    access: { kind: "public" },
    method: "POST",
    path: "/operator/v1/auth/passkey-login/begin",
    summary: "Start signing in as an operator with a passkey",
    description:
      "Returns options for `navigator.credentials.get()`. The passkey names the operator.",
    answers: { 200: Type.Object({ options: requestOptions }) },
    errors: ["rate_limited"],
  }),
  finishOperatorPasskeySignIn: operation({
    ...ofPasskeys,
    access: { kind: "public" },
    method: "POST",
    path: "/operator/v1/auth/passkey-login/finish",
    summary: "Sign in as an operator with a passkey",
    description: "Takes the browser's answer to the options. It counts as second factor.",
    body: assertionBody,
    answers: { 200: Type.Object({ username: Type.String(), role, csrfToken }) },
    cookies: "set",
    errors: ["invalid_credentials"],
  }),
};
