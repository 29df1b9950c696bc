import { usdFromCents } from "@ironlease/contract";
import { changePassword } from "#features/accounts/change-password.ts";
import { recoverAccount } from "#features/accounts/recover-account.ts";
import { registerAccount } from "#features/accounts/register-account.ts";
import { isoTime } from "#ports/clock.ts";
import { ok } from "#ports/result.ts";
import type { Handlers } from "#http/bind.ts";
import { accountCookies, clearCookies, setCookies } from "#http/admission/cookies.ts";
import { KeptBodies } from "#http/kept-bodies.ts";

type Accounts = "register" | "recover" | "changePassword" | "readAccount";

interface AccountOnWire {
  username: string;
  balanceUsd: number;
  csrfToken: string;
  frozen?: { reason: string; since: string };
}

export function accountHandlers(): Handlers<Accounts> {
  const accounts = new KeptBodies<AccountOnWire>(1_000);
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
    changePassword: async ({ core, client, account, body }) => {
      const result = await changePassword(core, client, account, body);
      if (!result.ok) return result;
      return ok({ status: 204, body: null, cookies: clearCookies(accountCookies) });
    },
    readAccount: ({ session, csrfToken }) => {
      const { sessionId, listsVersion, username, availableCents } = session;
      const { frozenAt, frozenReason } = session;
      const balanceUsd = usdFromCents(availableCents);
      return accounts.answerOf(sessionId, listsVersion, () => ({
        username,
        balanceUsd,
        csrfToken,
        ...(frozenAt !== null && {
          frozen: { reason: frozenReason ?? "", since: isoTime(frozenAt) },
        }),
      }));
    },
  };
}
