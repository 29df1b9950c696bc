import { addWithdrawalAddress } from "#features/withdrawal-addresses/add-address.ts";
import {
  listWithdrawalAddresses,
  type WithdrawalAddress,
} from "#features/withdrawal-addresses/list-addresses.ts";
import { removeWithdrawalAddress } from "#features/withdrawal-addresses/remove-address.ts";
import { setWithdrawalLock } from "#features/withdrawal-addresses/set-lock.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import { readLock, type WithdrawalLock } from "#kernel/withdrawal-guard.ts";
import type { Handlers } from "#http/bind.ts";

type WithdrawalAddresses =
  | "listWithdrawalAddresses"
  | "addWithdrawalAddress"
  | "removeWithdrawalAddress"
  | "readWithdrawalLock"
  | "setWithdrawalLock";

export function withdrawalAddressHandlers(core: Core): Handlers<WithdrawalAddresses> {
  return {
    listWithdrawalAddresses: async ({ account }) => {
      const addresses = await listWithdrawalAddresses(core, account.accountId);
      return ok({ status: 200, body: { withdrawalAddresses: addresses.map(addressOnWire) } });
    },
    addWithdrawalAddress: async ({ core, caller, body }) => {
      const result = await addWithdrawalAddress(core, caller, body);
      return result.ok ? ok({ status: 201, body: addressOnWire(result.value) }) : result;
    },
    removeWithdrawalAddress: async ({ core, caller, parameters }) => {
      const result = await removeWithdrawalAddress(core, caller, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
    readWithdrawalLock: async ({ account }) => {
      const lock = await readLock(core.db.read, account.accountId, core.clock.now());
      return ok({ status: 200, body: lockOnWire(lock) });
    },
    setWithdrawalLock: async ({ core, caller, body }) => {
      const result = await setWithdrawalLock(core, caller, body.locked);
      return result.ok ? ok({ status: 200, body: lockOnWire(result.value) }) : result;
    },
  };
}

export function addressOnWire(address: WithdrawalAddress) {
  return {
    ...address,
    createdAt: isoTime(address.createdAt),
    usableAt: isoTime(address.usableAt),
  };
}

export function lockOnWire({ locked, unlocksAt }: WithdrawalLock) {
  return { locked, unlocksAt: isoTimeOrNull(unlocksAt) };
}
