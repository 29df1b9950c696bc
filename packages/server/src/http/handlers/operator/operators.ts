import { beginTotp } from "#features/operators/begin-totp.ts";
import { changeOperatorPassword } from "#features/operators/change-operator-password.ts";
import { confirmTotp } from "#features/operators/confirm-totp.ts";
import { signInOperator } from "#features/operators/sign-in-operator.ts";
import { signOutOperator } from "#features/operators/sign-out-operator.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { clearCookies, operatorCookies, setCookies } from "#http/admission/cookies.ts";

type Operators =
  | "signInOperator"
  | "signOutOperator"
  | "changeOperatorPassword"
  | "readOperator"
  | "beginTotp"
  | "confirmTotp";

export function operatorHandlers(): Handlers<Operators> {
  return {
    signInOperator: async ({ core, client, body, presentedSessionToken }) => {
      const result = await signInOperator(core, client, { ...body, presentedSessionToken });
      if (!result.ok) return result;
      const { username, role, csrfToken } = result.value;
      return ok({
        status: 200,
        body: { username, role, csrfToken },
        cookies: setCookies(operatorCookies, result.value),
      });
    },
    signOutOperator: async ({ core, caller }) => {
      const result = await signOutOperator(core, caller);
      if (!result.ok) return result;
      return ok({ status: 204, body: null, cookies: clearCookies(operatorCookies) });
    },
    changeOperatorPassword: async ({ core, caller, body }) => {
      const result = await changeOperatorPassword(core, caller, body);
      if (!result.ok) return result;
      return ok({ status: 204, body: null, cookies: clearCookies(operatorCookies) });
    },
    readOperator: async ({ operator: { username, role, secondFactor }, csrfToken }) =>
      ok({ status: 200, body: { username, role, csrfToken, secondFactor } }),
    beginTotp: async ({ core, caller }) => {
      const result = await beginTotp(core, caller);
      return result.ok ? ok({ status: 200, body: result.value }) : result;
    },
    confirmTotp: async ({ core, caller, body }) => {
      const result = await confirmTotp(core, caller, body.code);
      if (!result.ok) return result;
      return ok({ status: 200, body: { recoveryCodes: [...result.value.recoveryCodes] } });
    },
  };
}
