import { usdFromCents } from "@ironlease/contract";
import { readCatalogue } from "#features/catalogue/read-catalogue.ts";
import { readQuote } from "#features/catalogue/read-quote.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function catalogueHandlers(core: Core): Handlers<"readCatalogue" | "readQuote"> {
  return {
    readCatalogue: async () => ok({ status: 200, body: await readCatalogue(core) }),
    readQuote: async ({ query }) => {
      const result = await readQuote(core, { ...query, quantity: Number(query.quantity) });
      if (!result.ok) return result;
      const { unitCents, discountPercent, totalCents, isAvailable } = result.value;
      return ok({
        status: 200,
        body: {
          unitUsd: usdFromCents(unitCents),
          discountPercent,
          totalUsd: usdFromCents(totalCents),
          available: isAvailable,
        },
      });
    },
  };
}
