import type { Liabilities } from "@ironlease/statement";
import { listLiabilities } from "#features/liabilities/list-liabilities.ts";
import { readLiabilities } from "#features/liabilities/read-liabilities.ts";
import type { Core } from "#kernel/core.ts";
import { readUtcTime } from "#kernel/iso-time.ts";
import { ok, refuseField } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function liabilityHandlers(core: Core): Handlers<"listLiabilities" | "readLiabilities"> {
  return {
    listLiabilities: async () =>
      ok({ status: 200, body: { liabilities: await listLiabilities(core) } }),
    readLiabilities: async ({ account, parameters: { date } }) => {
      if (readUtcTime(`${date}T00:00:00Z`) === undefined) {
        return refuseField("date", "must be a date such as 2026-11-15");
      }
      const liabilities = await readLiabilities(core, account.accountId, date);
      return liabilities.ok ? ok({ status: 200, body: onWire(liabilities.value) }) : liabilities;
    },
  };
}

function onWire({ proof, ...signed }: Liabilities) {
  return { ...signed, proof: proof === null ? null : { ...proof, path: [...proof.path] } };
}
