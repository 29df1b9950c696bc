import { usdFromCents } from "@ironlease/contract";
import { createDepositAddress } from "#features/deposits/create-deposit-address.ts";
import { listDepositAddresses } from "#features/deposits/list-deposit-addresses.ts";
import { listDeposits, type DepositRecord } from "#features/deposits/list-deposits.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

type Deposits = "createDepositAddress" | "listDepositAddresses" | "listDeposits";

export function depositHandlers(core: Core): Handlers<Deposits> {
  return {
    createDepositAddress: async ({ core, caller, body }) => {
      const result = await createDepositAddress(core, caller, body);
      return result.ok ? ok({ ...result.value, status: 201 }) : result;
    },
    listDepositAddresses: async ({ account }) => {
      const addresses = await listDepositAddresses(core, account.accountId);
      const depositAddresses = addresses.map(({ createdAt, ...address }) => ({
        ...address,
        createdAt: isoTime(createdAt),
      }));
      return ok({ status: 200, body: { depositAddresses } });
    },
    listDeposits: async ({ account }) => {
      const deposits = await listDeposits(core, account.accountId);
      return ok({ status: 200, body: { deposits: deposits.map(depositOnWire) } });
    },
  };
}

/** A deposit for its owner, or for operators with their additional fields. */
export function depositOnWire<Record extends DepositRecord>({ usdCents, ...record }: Record) {
  const { rate } = record;
  return {
    ...record,
    rate: rate && { ...rate, at: isoTime(rate.at), sources: [...rate.sources] },
    usd: usdCents === null ? null : usdFromCents(usdCents),
    seenAt: isoTime(record.seenAt),
    creditedAt: isoTimeOrNull(record.creditedAt),
  };
}
