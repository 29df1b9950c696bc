import { usdFromCents } from "@ironlease/contract";
import { createDepositAddress } from "../../features/deposits/create-deposit-address.ts";
import { listDeposits, type DepositRecord } from "../../features/deposits/list-deposits.ts";
import type { Core } from "../../kernel/core.ts";
import { isoTime, isoTimeOrNull } from "../../ports/clock.ts";
import { ok } from "../../ports/result.ts";
import type { Handlers } from "../bind.ts";
import { KeptBodies } from "../kept-bodies.ts";

export function depositHandlers(core: Core): Handlers<"createDepositAddress" | "listDeposits"> {
  const lists = new KeptBodies<{ deposits: ReturnType<typeof depositOnWire>[] }>();
  return {
    createDepositAddress: async ({ core, client, account, intent, body }) => {
      const result = await createDepositAddress(core, client, account.accountId, intent, body);
      return result.ok ? ok({ ...result.value, status: 201 }) : result;
    },
    listDeposits: ({ account }) =>
      lists.answer(account, async (accountId) => {
        const deposits = await listDeposits(core, accountId);
        return { deposits: deposits.map(depositOnWire) };
      }),
  };
}

/** A deposit as its owner sees it, and with what else operators are told. */
export function depositOnWire<Record extends DepositRecord>({ usdCents, ...record }: Record) {
  return {
    ...record,
    usd: usdCents === null ? null : usdFromCents(usdCents),
    seenAt: isoTime(record.seenAt),
    creditedAt: isoTimeOrNull(record.creditedAt),
  };
}
