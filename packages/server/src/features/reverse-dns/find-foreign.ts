import type { Core } from "#kernel/core.ts";
import { hexOfName } from "#kernel/reverse-dns/reverse-names.ts";
import type { ForeignPtr } from "#kernel/reverse-dns/record-zones.ts";
import type { ZoneRecords } from "#ports/dns.ts";

/** Enough to show that the zone is also maintained elsewhere. */
const maxForeign = 1_000;

/** The records of a zone that are about our subnets and that the service did not write. */
export async function findForeign(
  { db }: Core,
  records: ZoneRecords,
  own: ReadonlySet<string>,
): Promise<readonly ForeignPtr[]> {
  const candidates = [...records].flatMap(([name, found]) => {
    const hex = own.has(name) ? undefined : hexOfName(name);
    return hex === undefined ? [] : [{ name, ptr: found.join(" "), hex }];
  });
  if (candidates.length === 0) return [];
  const sorted = candidates.map(({ hex }) => hex).toSorted();
  const [low = "", high = ""] = [sorted[0], sorted.at(-1)];
  const subnets = await db.read
    .selectFrom("subnets")
    .select(["first_address as first", "last_address as last"])
    .where("family", "=", low.length === 8 ? 4 : 6)
    .where("first_address", "<=", high)
    .where("last_address", ">=", low)
    .execute();
  return candidates
    .filter(({ hex }) => subnets.some(({ first, last }) => first <= hex && hex <= last))
    .slice(0, maxForeign)
    .map(({ name, ptr }) => ({ name, ptr }));
}
