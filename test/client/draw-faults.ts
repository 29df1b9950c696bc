import { places, type Place } from "./http-bytes.ts";
import type { Fault } from "./fault-proxy.ts";

/** Every kind of fault at every place in a message. `pick`, from 0 to 1, selects the exact byte. */
export const kinds: readonly ((pick: number) => Fault)[] = [
  ...places.flatMap((place: Place) =>
    (["cut", "reset", "stall"] as const).flatMap((kind) =>
      (["request", "answer"] as const).map((of) => (pick: number) => ({ kind, of, place, pick })),
    ),
  ),
  ...places.map((place) => (pick: number) => ({
    kind: "garble" as const,
    of: "answer" as const,
    place,
    pick,
  })),
  () => ({ kind: "late" }),
  () => ({ kind: "twice" }),
  (pick) => ({ kind: "page", pick }),
];

/** The faults of one run. The first one cycles through all kinds. The others and the exact bytes are random. */
export function drawFaults(run: number, random: () => number): Fault[] {
  const first = kinds[run % kinds.length]?.(random());
  const more = random();
  let count = 0;
  if (more < 0.4) count = 1 + Math.floor(random() * 2);
  // More faults than attempts, so that the outcome stays unknown.
  if (more > 0.92) count = 5;
  const others = Array.from({ length: count }, () =>
    kinds[Math.floor(random() * kinds.length)]?.(random()),
  );
  return [first, ...others].filter((fault) => fault !== undefined);
}
