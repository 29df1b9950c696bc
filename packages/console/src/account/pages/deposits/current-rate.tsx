import type { Rate } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useNow } from "#ui/time.tsx";
import { reads } from "#account/data/reads.ts";
import type { Asset } from "#account/shared/assets.ts";
import { agoText, usdText } from "./rate-text.ts";

/** The rate of an asset, or null when there is none. Undefined until the rates have been read. */
export function useRate(asset: Asset): Rate | null | undefined {
  const { data } = useQuery(reads.rates);
  return data && (data.rates.find((rate) => rate.asset === asset) ?? null);
}

/** "1 BTC = $94,250.00 · 12 s ago". */
export function CurrentRate({ rate: { asset, usd, at } }: { readonly rate: Rate }) {
  const now = useNow(1_000);
  return (
    <span className="figures">
      1 {asset} = {usdText(usd)} · <time dateTime={at}>{agoText(now - Date.parse(at))}</time>
    </span>
  );
}

export const noRateText =
  "No exchange rate right now. Your deposit is credited as soon as there is one.";
