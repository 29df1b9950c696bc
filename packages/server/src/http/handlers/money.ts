import { usdFromCents } from "@ironlease/contract";
import { readLedger } from "../../features/ledger/read-ledger.ts";
import { requestWithdrawal } from "../../features/withdrawals/request-withdrawal.ts";
import type { Core } from "../../kernel/core.ts";
import { isoTime } from "../../ports/clock.ts";
import { ok } from "../../ports/result.ts";
import type { Handlers } from "../bind.ts";

export function moneyHandlers(core: Core): Handlers<"readLedger" | "requestWithdrawal"> {
  return {
    readLedger: async ({ account }) => {
      const { balanceCents, heldCents, entries } = await readLedger(core, account.accountId);
      return ok({
        status: 200,
        body: {
          balanceUsd: usdFromCents(balanceCents),
          heldUsd: usdFromCents(heldCents),
          entries: entries.map((entry) => ({
            id: entry.id,
            createdAt: isoTime(entry.createdAt),
            type: entry.type,
            amountUsd: usdFromCents(entry.amountCents),
            balanceAfterUsd: usdFromCents(entry.balanceAfterCents),
            description: entry.description,
            reference: { kind: entry.referenceKind, id: entry.referenceId },
          })),
        },
      });
    },
    requestWithdrawal: async ({ client, account, intent, body }) => {
      const result = await requestWithdrawal(core, client, account.accountId, intent, body);
      return result.ok ? ok({ ...result.value, status: 201 }) : result;
    },
  };
}
