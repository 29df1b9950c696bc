import { Type } from "typebox";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { text, time } from "../schemas.ts";

const { username, password, recoveryCode } = limits;

/** A username at registration. Case makes no difference; it is stored in lower case. */
const newUsername = Type.String({
  minLength: username.min,
  maxLength: username.max,
  pattern: "^[A-Za-z][A-Za-z0-9_\\-]*$",
  message: `must be ${username.min} to ${username.max} letters, digits, hyphens or underscores, starting with a letter`,
  examples: ["ada"],
});

/** Lengths are in code points, which is how JSON Schema counts. */
const newPassword = Type.String({
  minLength: password.min,
  maxLength: password.max,
  format: "password",
  message: `must be ${password.min} to ${password.max} characters`,
});

/**
 * What somebody types to get in. Only bounded: whether it could be a username or a password at all
 * is not told, so that a wrong guess and an impossible one are answered alike.
 */
const typed = (max: number, format?: string) =>
  Type.String({
    minLength: 1,
    maxLength: max,
    message: `must be 1 to ${max} characters`,
    ...(format === undefined ? {} : { format }),
  });

const csrfToken = text("Goes into the `x-csrf-token` header of every change in this session.");

const newRecoveryCode = text(
  "Changes the password when it is lost. Shown this once: keep it somewhere safe.",
  "4GXKD-92MTN-7QRWP-C1JZV-8HB3E",
);

const signedIn = { listener: "account", tag: "Access", idempotency: "none" } as const;

export const auth = {
  register: operation({
    ...signedIn,
    method: "POST",
    path: "/api/v1/auth/register",
    summary: "Register an account",
    description: "Makes an account, signs it in, and shows its recovery code this once.",
    extension: false,
    access: { kind: "public" },
    body: Type.Object(
      { username: newUsername, password: newPassword },
      { additionalProperties: false },
    ),
    answers: {
      201: Type.Object({ username: Type.String(), csrfToken, recoveryCode: newRecoveryCode }),
    },
    cookies: "set",
    errors: ["username_taken", "rate_limited"],
  }),
  signIn: operation({
    ...signedIn,
    method: "POST",
    path: "/api/v1/auth/login",
    summary: "Sign in",
    description:
      "Starts a session. A session that is presented with the request is ended. Confirms account access only.",
    extension: false,
    access: { kind: "public" },
    body: Type.Object(
      { username: typed(64), password: typed(password.max, "password") },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ username: Type.String(), csrfToken }) },
    cookies: "set",
    errors: ["invalid_credentials", "rate_limited"],
  }),
  signOut: operation({
    ...signedIn,
    method: "POST",
    path: "/api/v1/auth/logout",
    summary: "Sign out",
    description: "Ends this session and clears its cookies.",
    extension: false,
    access: { kind: "session", scopes: [] },
    frozen: "allowed",
    answers: { 204: null },
    cookies: "clear",
    errors: [],
  }),
  recover: operation({
    ...signedIn,
    method: "POST",
    path: "/api/v1/auth/recover",
    summary: "Recover an account",
    description:
      "Changes the password with the recovery code, ends every session and API key of the account, " +
      "and issues a replacement code. No sign-in happens.",
    extension: false,
    access: { kind: "public" },
    body: Type.Object(
      { username: typed(64), recoveryCode: typed(recoveryCode.max), newPassword },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ recoveryCode: newRecoveryCode }) },
    errors: ["invalid_credentials", "rate_limited"],
  }),
  changePassword: operation({
    ...signedIn,
    method: "POST",
    path: "/api/v1/auth/password",
    summary: "Change the password",
    description: "Ends every session and API key of the account, this session too.",
    extension: false,
    access: { kind: "session", scopes: [] },
    body: Type.Object(
      { currentPassword: typed(password.max, "password"), newPassword },
      { additionalProperties: false },
    ),
    frozen: "allowed",
    answers: { 204: null },
    cookies: "clear",
    errors: ["invalid_credentials", "rate_limited"],
  }),
  readAccount: operation({
    ...signedIn,
    method: "GET",
    path: "/api/v1/me",
    summary: "Read the account",
    description: "Verifies the session and gives its current CSRF token.",
    extension: false,
    access: { kind: "session", scopes: [] },
    answers: {
      200: Type.Object(
        {
          username: Type.String(),
          balanceUsd: Type.Number({ description: "The spendable balance in USD." }),
          csrfToken,
          frozen: Type.Optional(
            Type.Object(
              { reason: text("What the operator wrote."), since: time },
              {
                title: "Freeze",
                description:
                  "Why the operator has frozen the account: it reads, and its changes answer 403 `account_frozen`. Only while it is frozen.",
              },
            ),
          ),
        },
        { title: "Account" },
      ),
    },
    errors: [],
  }),
};
