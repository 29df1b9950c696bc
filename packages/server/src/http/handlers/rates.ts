import { listFreshRates } from "#features/rates/list-fresh-rates.ts";
import { singleFlight } from "#kernel/concurrency/single-flight.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function rateHandlers(
  core: Pick<Core, "settlement" | "rates" | "clock">,
): Handlers<"listRates"> {
  // Anyone may ask, so concurrent requests share one reading of all rates.
  const read = singleFlight(() => listFreshRates(core));
  return {
    listRates: async () => {
      const rates = (await read()).map(({ at, ...rate }) => ({ ...rate, at: isoTime(at) }));
      return ok({ status: 200, body: { rates } });
    },
  };
}
