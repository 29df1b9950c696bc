import { useNavigate, useSearch } from "@tanstack/react-router";

function isPartialAmount(text: string): boolean {
  return /^\d{0,9}(?:\.\d{0,2})?$/.test(text);
}

/** The amount that the customer wants to pay, kept in the URL, so that a reload and a link keep it. */
export function useUsdAmount() {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const { usd: given } = search;
  const usd = typeof given === "string" && isPartialAmount(given) ? given : "";
  return {
    usd,
    search: usd === "" ? {} : { usd },
    setUsd: (next: string) => {
      if (!isPartialAmount(next)) return;
      const { usd: _usd, ...rest } = search;
      const changed = next === "" ? rest : { ...rest, usd: next };
      void navigate({ to: ".", search: changed, replace: true, resetScroll: false });
    },
  };
}
