import { Type } from "typebox";
import { credential, csrfToken, newPassword } from "../../credential-fields.ts";
import { limits } from "../../limits.ts";
import { operation, roles } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";
import { text, words } from "../../schemas.ts";

const role = words(roles, {
  description:
    "`support` reads, provisions and carries out; `finance` also moves money; `admin` does all.",
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
      "With a second factor set up, `totp` is its present code or a recovery code; without it the answer is 403 `second_factor_required`.",
    body: Type.Object(
      {
        username: Type.String({ ...credential(64), examples: ["alice"] }),
        password: credential(limits.password.max),
        totp: Type.Optional(credential(limits.recoveryCode.max)),
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
    description: "Ends every session of the operator, this one too.",
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
    description: "Verifies the session and gives its current CSRF token.",
    secondFactor: "not_needed",
    answers: {
      200: Type.Object(
        {
          username,
          role,
          csrfToken,
          secondFactor: words(secondFactorStates, {
            description: "`required`: nothing else works until it is set up.",
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
    summary: "Begin to set up the second factor",
    description:
      "Gives a new secret for an authenticator app, within 15 minutes of the sign-in: later it is 409 `conflict`, and a new sign-in helps. Nothing is asked for at sign-in until a code of it has been confirmed.",
    secondFactor: "not_needed",
    answers: {
      200: Type.Object({
        secret: text("In base 32, for typing in.", "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"),
        otpauthUri: text(
          "The same as an `otpauth:` address, for a QR code.",
          "otpauth://totp/Ironlease:alice?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Ironlease",
        ),
      }),
    },
    errors: ["conflict"],
  }),
  confirmTotp: operation({
    ...ofAccess,
    method: "POST",
    path: "/operator/v1/auth/totp/confirm",
    summary: "Confirm the second factor",
    description:
      "From then on sign-in asks for it. Every other session of the operator ends, since it was opened without.",
    secondFactor: "not_needed",
    body: Type.Object(
      { code: credential(limits.recoveryCode.max) },
      { additionalProperties: false },
    ),
    answers: {
      200: Type.Object({
        recoveryCodes: Type.Array(Type.String({ examples: ["7QRWP-C1JZV"] }), {
          description: "Each signs in once in place of a code. Shown this once.",
        }),
      }),
    },
    errors: ["invalid_credentials", "conflict", "rate_limited"],
  }),
};
