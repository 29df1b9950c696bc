import type { PtrChange, ZoneRecords } from "#ports/dns.ts";
import type { TrackedPtr } from "./tracked-ptrs.ts";

export interface PlannedPtr {
  readonly ptr: TrackedPtr;
  /** `foreign`: the name has a record that the service did not write, so it is left alone. */
  readonly plan: "keep" | "change" | "foreign";
  readonly found: readonly string[];
}

/** Compares settings with the zone. A record that already is as set counts as ours from then on. */
export function planChanges(
  ptrs: readonly TrackedPtr[],
  records: ZoneRecords,
): readonly PlannedPtr[] {
  return ptrs.map((ptr) => {
    const found = records.get(ptr.name) ?? [];
    return { ptr, found, plan: planOf(ptr, found) };
  });
}

function planOf(
  { wanted, published, attempted }: TrackedPtr,
  found: readonly string[],
): PlannedPtr["plan"] {
  if (isExactly(found, wanted)) return "keep";
  const [only] = found;
  const isOurs = only === undefined || only === published || only === attempted;
  return found.length <= 1 && isOurs ? "change" : "foreign";
}

/** Whether these are all records of a name that is set to this. */
export function isExactly(found: readonly string[], wanted: string): boolean {
  return wanted === "" ? found.length === 0 : found.length === 1 && found[0] === wanted;
}

export function changeOf({ name, wanted }: TrackedPtr): PtrChange {
  return { name, ptr: wanted };
}
