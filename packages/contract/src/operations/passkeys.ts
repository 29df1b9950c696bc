import { Type } from "typebox";
import { csrfToken } from "../credential-fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import {
  assertionBody,
  creationOptions,
  passkey,
  passkeyBody,
  requestOptions,
} from "../passkey-fields.ts";

const ofPasskeys = {
  listener: "account",
  tag: "Passkeys",
  idempotency: "none",
  extension: true,
} as const;

const bySession = { ...ofPasskeys, access: { kind: "session", scopes: [] } } as const;

export const passkeys = {
  listPasskeys: operation({
    ...bySession,
    method: "GET",
    path: "/api/v1/passkeys",
    summary: "List passkeys",
    description: "Newest first.",
    answers: { 200: Type.Object({ passkeys: Type.Array(passkey) }) },
    errors: [],
  }),
  beginPasskey: operation({
    ...bySession,
    method: "POST",
    path: "/api/v1/auth/passkeys/begin",
    summary: "Start adding a passkey",
    description: `Returns options for \`navigator.credentials.create()\`. Call it within 15 minutes of signing in; later the response is 409 \`conflict\`, and you must sign in again. An account can have up to ${limits.passkeysPerOwner} passkeys.`,
    answers: { 200: Type.Object({ options: creationOptions }) },
    errors: ["conflict", "limit_reached"],
  }),
  finishPasskey: operation({
    ...bySession,
    method: "POST",
    path: "/api/v1/auth/passkeys/finish",
    summary: "Add a passkey",
    description:
      "Takes the browser's answer to the options. From now on the passkey signs in by itself, without password and second factor. The contact gets an e-mail.",
    body: passkeyBody,
    answers: { 201: passkey },
    errors: ["invalid_credentials", "conflict", "limit_reached"],
  }),
  removePasskey: operation({
    ...bySession,
    method: "DELETE",
    path: "/api/v1/passkeys/{id}",
    summary: "Remove a passkey",
    description:
      "It can no longer sign in. Sessions that it started continue. Call it within 15 minutes of signing in; later the response is 409 `conflict`, and you must sign in again. The contact gets an e-mail.",
    frozen: "allowed",
    answers: { 204: null },
    errors: ["conflict"],
  }),
  beginPasskeySignIn: operation({
    ...ofPasskeys,
    access: { kind: "public" },
    method: "POST",
    path: "/api/v1/auth/passkey-login/begin",
    summary: "Start signing in with a passkey",
    description:
      "Returns options for `navigator.credentials.get()`. The passkey names the account.",
    answers: { 200: Type.Object({ options: requestOptions }) },
    errors: ["rate_limited"],
  }),
  finishPasskeySignIn: operation({
    ...ofPasskeys,
    access: { kind: "public" },
    method: "POST",
    path: "/api/v1/auth/passkey-login/finish",
    summary: "Sign in with a passkey",
    description:
      "Takes the browser's answer to the options. Starts a session and ends the one sent with the request, if any.",
    body: assertionBody,
    answers: { 200: Type.Object({ username: Type.String(), csrfToken }) },
    cookies: "set",
    errors: ["invalid_credentials"],
  }),
};
