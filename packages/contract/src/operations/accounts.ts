import { Type } from "typebox";
import { credential, csrfToken, newPassword } from "../credential-fields.ts";
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

const newRecoveryCode = text(
  "Changes the password when it is lost. Shown this once: keep it somewhere safe.",
  "4GXKD-92MTN-7QRWP-C1JZV-8HB3E",
);

const ofAccess = { listener: "account", tag: "Access", idempotency: "none" } as const;

export const accounts = {
  register: operation({
    ...ofAccess,
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
  recover: operation({
    ...ofAccess,
    method: "POST",
    path: "/api/v1/auth/recover",
    summary: "Recover an account",
    description:
      "Changes the password with the recovery code, ends every session and API key of the account, " +
      "and issues a replacement code. No sign-in happens.",
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
    description: "Ends every session and API key of the account, this session too.",
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
