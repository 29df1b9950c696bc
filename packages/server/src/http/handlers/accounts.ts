import { usdFromCents } from "@ironlease/contract";
import { beginTotp } from "#features/accounts/begin-totp.ts";
import { changePassword } from "#features/accounts/change-password.ts";
import { closeAccount } from "#features/accounts/close-account.ts";
import { confirmTotp } from "#features/accounts/confirm-totp.ts";
import { recoverAccount } from "#features/accounts/recover-account.ts";
import { registerAccount } from "#features/accounts/register-account.ts";
import { removeTotp } from "#features/accounts/remove-totp.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { erasures } from "./account-erasures.ts";
import { accountCookies, clearCookies, setCookies } from "#http/admission/cookies.ts";

type Accounts =
  | "register"
  | "recover"
  | "changePassword"
  | "closeAccount"
  | "readAccount"
  | "beginSecondFactor"
  | "confirmSecondFactor"
  | "removeSecondFactor";

export function accountHandlers(): Handlers<Accounts> {
  return {
    register: async ({ core, client, body }) => {
      const result = await registerAccount(core, client, body);
      if (!result.ok) return result;
      const { username, csrfToken, recoveryCode } = result.value;
      return ok({
        status: 201,
        body: { username, csrfToken, recoveryCode },
        cookies: setCookies(accountCookies, result.value),
      });
    },
    recover: async ({ core, client, body }) => {
      const result = await recoverAccount(core, client, body);
      return result.ok ? ok({ status: 200, body: result.value }) : result;
    },
    changePassword: async ({ core, caller, account, body }) => {
      const result = await changePassword(core, caller, { ...body, username: account.username });
      if (!result.ok) return result;
      return ok({ status: 204, body: null, cookies: clearCookies(accountCookies) });
    },
    closeAccount: async ({ core, caller, account, body: { password } }) => {
      const { username } = account;
      const result = await closeAccount(core, caller, { username, password, erasures });
      if (!result.ok) return result;
      return ok({ status: 204, body: null, cookies: clearCookies(accountCookies) });
    },
    readAccount: async ({ session, csrfToken }) => {
      const { username, availableCents, hasSecondFactor, frozenAt, frozenReason } = session;
      const account = {
        username,
        balanceUsd: usdFromCents(availableCents),
        csrfToken,
        ...(hasSecondFactor && { secondFactor: "on" as const }),
      };
      if (frozenAt === null) return ok({ status: 200, body: account });
      const frozen = { reason: frozenReason ?? "", since: isoTime(frozenAt) };
      return ok({ status: 200, body: { ...account, frozen } });
    },
    beginSecondFactor: async ({ core, caller, session }) => {
      const result = await beginTotp(core, caller, session);
      return result.ok ? ok({ status: 200, body: result.value }) : result;
    },
    confirmSecondFactor: async ({ core, caller, session, body }) => {
      const result = await confirmTotp(core, caller, session, body.code);
      if (!result.ok) return result;
      return ok({ status: 200, body: { recoveryCodes: [...result.value.recoveryCodes] } });
    },
    removeSecondFactor: async ({ core, caller, session }) => {
      const result = await removeTotp(core, caller, session);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
  };
}
