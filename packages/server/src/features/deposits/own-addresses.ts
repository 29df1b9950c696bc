import type { Core } from "#kernel/core.ts";
import type { OwnAddresses } from "#ports/settlement.ts";

/** Bounds the parameters of one query. */
const addressesPerQuery = 500;

/** Finds the addresses of a network that were issued to customers. */
export function ownAddresses({ db }: Core, network: string): OwnAddresses {
  const find = async (addresses: readonly string[]) => {
    const rows = await db.read
      .selectFrom("deposit_addresses")
      .select("address")
      .where("network", "=", network)
      .where("address", "in", addresses)
      .execute();
    return rows.map(({ address }) => address as string);
  };
  return {
    among: async (addresses) => {
      const unique = [...new Set(addresses)];
      const found = new Set<string>();
      for (let start = 0; start < unique.length; start += addressesPerQuery) {
        const own = await find(unique.slice(start, start + addressesPerQuery));
        for (const address of own) found.add(address);
      }
      return found;
    },
  };
}
