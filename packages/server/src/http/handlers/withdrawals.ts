import { usdFromCents, type Asset } from "@ironlease/contract";
import type { WithdrawalRecord } from "#features/customers/account-lists.ts";
import { requestWithdrawal } from "#features/withdrawals/request-withdrawal.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
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

export function withdrawalOnWire({ cents, ...withdrawal }: WithdrawalRecord) {
  return {
    ...withdrawal,
    asset: withdrawal.asset as Asset,
    usd: usdFromCents(cents),
    createdAt: isoTime(withdrawal.createdAt),
    resolvedAt: isoTimeOrNull(withdrawal.resolvedAt),
  };
}
