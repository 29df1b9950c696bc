import { Type } from "typebox";
import { credential, csrfToken, newPassword } from "../../credential-fields.ts";
import { limits } from "../../limits.ts";
import { operation, roles } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";
import { words } from "../../schemas.ts";
import { begunTotp, confirmedTotp, totp, totpConfirmation } from "../../second-factor-fields.ts";

export const role = words(roles, {
  description:
    "`support` reads everything, provisions servers and carries out requests. `finance` also moves money. `admin` can do everything.",
});

export const secondFactorStates = ["on", "off", "required"] as const;

const username = Type.String({ examples: ["alice"] });

const ofAccess = { ...asOperator("support"), tag: "Operator access" } as const;

export const operators = {
  signInOperator: operation({
    ...ofAccess,
    access: { kind: "public" },
    method: "POST",
    path: "/operator/v1/auth/login",
    summary: "Sign in as an operator",
    description:
      "If a second factor is set up, send its current code or a recovery code as `totp`. Otherwise the response is 403 `second_factor_required`, whose `fields` name `totp`. If they do not, no code helps: sign in with a passkey.",
    body: Type.Object(
      {
        username: Type.String({ ...credential(64), examples: ["alice"] }),
        password: credential(limits.password.max),
        totp,
      },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ username, role, csrfToken }) },
    cookies: "set",
    errors: ["invalid_credentials", "second_factor_required", "rate_limited"],
  }),
  signOutOperator: operation({
    ...ofAccess,
    method: "POST",
    path: "/operator/v1/auth/logout",
    summary: "Sign out as an operator",
    secondFactor: "not_needed",
    answers: { 204: null },
    cookies: "clear",
    errors: [],
  }),
  changeOperatorPassword: operation({
    ...ofAccess,
    method: "POST",
    path: "/operator/v1/auth/password",
    summary: "Change the operator's password",
    description: "Ends every session of the operator, including this one.",
    body: Type.Object(
      { currentPassword: credential(limits.password.max), newPassword },
      { additionalProperties: false },
    ),
    answers: { 204: null },
    cookies: "clear",
    errors: ["invalid_credentials", "rate_limited"],
  }),
  readOperator: operation({
    ...ofAccess,
    method: "GET",
    path: "/operator/v1/me",
    summary: "Read the operator",
    description: "Verifies the session and returns its current CSRF token.",
    secondFactor: "not_needed",
    answers: {
      200: Type.Object(
        {
          username,
          role,
          csrfToken,
          secondFactor: words(secondFactorStates, {
            description: "`required`: set it up before calling any other operation.",
          }),
        },
        { title: "Operator" },
      ),
    },
    errors: [],
  }),
  beginTotp: operation({
    ...ofAccess,
    method: "POST",
    path: "/operator/v1/auth/totp",
    summary: "Start setting up the second factor",
    description:
      "Returns a new secret for an authenticator app. Call it within 15 minutes of signing in; later the response is 409 `conflict`, and you must sign in again. Sign-in asks for a code only after you have confirmed one.",
    secondFactor: "not_needed",
    answers: {
      200: begunTotp,
    },
    errors: ["conflict"],
  }),
  confirmTotp: operation({
    ...ofAccess,
    method: "POST",
    path: "/operator/v1/auth/totp/confirm",
    summary: "Confirm the second factor",
    description: "From now on sign-in asks for a code. Ends every other session of the operator.",
    secondFactor: "not_needed",
    body: totpConfirmation,
    answers: { 200: confirmedTotp },
    errors: ["invalid_credentials", "conflict", "rate_limited"],
  }),
};
