import type { AnswerOf, Operations } from "@ironlease/contract";
import { listRates, type AssetRate } from "#features/rates/list-rates.ts";
import { setRate } from "#features/rates/set-rate.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

type Rates = "listAllRates" | "setRate";

export function operatorRateHandlers(core: Core): Handlers<Rates> {
  return {
    listAllRates: async () => {
      const { rates, proposals } = await listRates(core);
      const proposed = proposals.map(({ at, validUntil, expiresAt, ...proposal }) => ({
        ...proposal,
        at: isoTime(at),
        validUntil: isoTime(validUntil),
        expiresAt: isoTime(expiresAt),
      }));
      return ok({ status: 200, body: { rates: rates.map(rateOnWire), proposals: proposed } });
    },
    setRate: async ({ core, caller, parameters, body }): Promise<Result<RateAnswer>> => {
      const result = await setRate(core, caller, { ...body, asset: parameters.asset });
      if (!result.ok) return result;
      const { kind, asset, usd, at, validUntil } = result.value;
      if (kind === "PROPOSED") return ok({ status: 202, body: { pending: true } });
      const times = { at: isoTime(at), validUntil: isoTime(validUntil) };
      return ok({ status: 200, body: { asset, usd, ...times, sources: ["operator"] } });
    },
  };
}

type RateAnswer = AnswerOf<Operations["setRate"]>;
type ListedRate = AnswerOf<Operations["listAllRates"]>["body"]["rates"][number];

/** A rate as operators see it. */
export function rateOnWire(listed: AssetRate): ListedRate {
  const { asset } = listed;
  if ("error" in listed) {
    return { asset, usd: null, at: null, validUntil: null, sources: [], error: listed.error };
  }
  const { rate, at, sources } = listed.rate;
  const times = { at: isoTime(at), validUntil: isoTime(listed.validUntil) };
  return { asset, usd: rate, ...times, sources: [...sources], error: null };
}
