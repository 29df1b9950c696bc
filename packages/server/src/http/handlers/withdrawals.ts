import { requestWithdrawal } from "#features/withdrawals/request-withdrawal.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function withdrawalHandlers(): Handlers<"requestWithdrawal"> {
  return {
    requestWithdrawal: async ({ core, caller, body }) => {
      const result = await requestWithdrawal(core, caller, body);
      return result.ok ? ok({ ...result.value, status: 201 }) : result;
    },
  };
}
