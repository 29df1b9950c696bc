import { Type } from "typebox";
import { credential, csrfToken, newPassword } from "../credential-fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { text, time, words } from "../schemas.ts";
import { begunTotp, confirmedTotp, totpConfirmation } from "../second-factor-fields.ts";

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

const ofSecondFactor = {
  ...ofAccess,
  extension: true,
  access: { kind: "session", scopes: [] },
} as const;

const recently =
  "Call it within 15 minutes of signing in; later the response is 409 `conflict`, and you must sign in again.";

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
      "Changes the password with the recovery code, removes the second factor, revokes every session and API key " +
      "of the account and issues a new recovery code. Does not sign in.",
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
  closeAccount: operation({
    ...ofAccess,
    method: "POST",
    path: "/api/v1/account/close",
    summary: "Close the account",
    description:
      "Ends all access, erases personal data and frees the username. Cannot be undone. The account must have no servers, no held money, no deposit that is not credited yet, and a balance of zero. Accounting records stay: orders, deposits, withdrawals and the ledger. After a lost response, a repetition returns 401, because access has ended.",
    extension: true,
    access: { kind: "session", scopes: [] },
    body: Type.Object(
      { password: credential(password.max, "password") },
      { additionalProperties: false },
    ),
    answers: { 204: null },
    cookies: "clear",
    errors: ["invalid_credentials", "account_not_empty", "rate_limited"],
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
          secondFactor: Type.Optional(
            words(["on"], { description: "Present while a second factor is set up." }),
          ),
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
  beginSecondFactor: operation({
    ...ofSecondFactor,
    method: "POST",
    path: "/api/v1/auth/totp",
    summary: "Start setting up the second factor",
    description: `Returns a new secret for an authenticator app. Sign-in asks for a code only after you have confirmed one. ${recently}`,
    answers: { 200: begunTotp },
    errors: ["conflict"],
  }),
  confirmSecondFactor: operation({
    ...ofSecondFactor,
    method: "POST",
    path: "/api/v1/auth/totp/confirm",
    summary: "Confirm the second factor",
    description: `From now on sign-in asks for a code. Ends every other session of the account and sends an e-mail to the contact. ${recently}`,
    body: totpConfirmation,
    answers: { 200: confirmedTotp },
    errors: ["invalid_credentials", "conflict", "rate_limited"],
  }),
  removeSecondFactor: operation({
    ...ofSecondFactor,
    method: "DELETE",
    path: "/api/v1/auth/totp",
    summary: "Remove the second factor",
    description: `From now on the password is enough to sign in. The recovery codes of the second factor end with it. Sends an e-mail to the contact. ${recently}`,
    answers: { 204: null },
    errors: ["not_found", "conflict"],
  }),
};
