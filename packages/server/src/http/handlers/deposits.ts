import { usdFromCents } from "@ironlease/contract";
import { createDepositAddress } from "#features/deposits/create-deposit-address.ts";
import {
  listDepositAddresses,
  type DepositAddressRecord,
} from "#features/deposits/list-deposit-addresses.ts";
import { listDeposits, type DepositRecord } from "#features/deposits/list-deposits.ts";
import { readDepositAddress } from "#features/deposits/read-deposit-address.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

type Deposits =
  | "createDepositAddress"
  | "listDepositAddresses"
  | "readDepositAddress"
  | "listDeposits";

export function depositHandlers(core: Core): Handlers<Deposits> {
  return {
    createDepositAddress: async ({ core, caller, body }) => {
      const result = await createDepositAddress(core, caller, body);
      return result.ok ? ok({ ...result.value, status: 201 }) : result;
    },
    listDepositAddresses: async ({ account }) => {
      const addresses = await listDepositAddresses(core, account.accountId);
      return ok({ status: 200, body: { depositAddresses: addresses.map(addressOnWire) } });
    },
    readDepositAddress: async ({ account, parameters }) => {
      const found = await readDepositAddress(core, account.accountId, parameters.id);
      if (!found.ok) return found;
      const latestDeposits = found.value.latestDeposits.map(depositOnWire);
      return ok({ status: 200, body: { ...addressOnWire(found.value), latestDeposits } });
    },
    listDeposits: async ({ account }) => {
      const deposits = await listDeposits(core, account.accountId);
      return ok({ status: 200, body: { deposits: deposits.map(depositOnWire) } });
    },
  };
}

function addressOnWire<Record extends DepositAddressRecord>({ createdAt, ...address }: Record) {
  return { ...address, createdAt: isoTime(createdAt) };
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
