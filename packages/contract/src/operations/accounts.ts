import { Type } from "typebox";
import { credential, csrfToken, newPassword } from "../credential-fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { text, time } from "../schemas.ts";

const { username, password, recoveryCode } = limits;

/** Usernames are case-insensitive and stored in lowercase. */
const newUsername = Type.String({
  minLength: username.min,
  maxLength: username.max,
  pattern: "^[A-Za-z][A-Za-z0-9_\\-]*$",
  message: `must be ${username.min} to ${username.max} letters, digits, hyphens or underscores, starting with a letter`,
  examples: ["ada"],
});

const newRecoveryCode = text(
  "Resets a lost password. Shown only once: store it somewhere safe.",
  "4GXKD-92MTN-7QRWP-C1JZV-8HB3E",
);

const ofAccess = { listener: "account", tag: "Access", idempotency: "none" } as const;

export const accounts = {
  register: operation({
    ...ofAccess,
    method: "POST",
    path: "/api/v1/auth/register",
    summary: "Register an account",
    description:
      "Creates an account, signs in and returns the recovery code, which is shown only once.",
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
  recover: operation({
    ...ofAccess,
    method: "POST",
    path: "/api/v1/auth/recover",
    summary: "Recover an account",
    description:
      "Changes the password with the recovery code, revokes every session and API key of the account " +
      "and issues a new recovery code. Does not sign in.",
    extension: false,
    access: { kind: "public" },
    body: Type.Object(
      { username: credential(64), recoveryCode: credential(recoveryCode.max), newPassword },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ recoveryCode: newRecoveryCode }) },
    errors: ["invalid_credentials", "rate_limited"],
  }),
  changePassword: operation({
    ...ofAccess,
    method: "POST",
    path: "/api/v1/auth/password",
    summary: "Change the password",
    description: "Revokes every session and API key of the account, including this session.",
    extension: false,
    access: { kind: "session", scopes: [] },
    body: Type.Object(
      { currentPassword: credential(password.max, "password"), newPassword },
      { additionalProperties: false },
    ),
    frozen: "allowed",
    answers: { 204: null },
    cookies: "clear",
    errors: ["invalid_credentials", "rate_limited"],
  }),
  readAccount: operation({
    ...ofAccess,
    method: "GET",
    path: "/api/v1/me",
    summary: "Read the account",
    description: "Verifies the session and returns its current CSRF token.",
    extension: false,
    access: { kind: "session", scopes: [] },
    answers: {
      200: Type.Object(
        {
          username: Type.String(),
          balanceUsd: Type.Number({ description: "The available balance in USD." }),
          csrfToken,
          frozen: Type.Optional(
            Type.Object(
              { reason: text("The reason that the operator gave."), since: time },
              {
                title: "Freeze",
                description:
                  "Present while the account is frozen: reads and messages to the operators work, and other changes return 403 `account_frozen`.",
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
