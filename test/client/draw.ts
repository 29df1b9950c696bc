import { places, type Place } from "./http-bytes.ts";
import type { Fault } from "./fault-proxy.ts";

/** Every kind of fault in every place that it can be in; given is where in that place. */
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

/**
 * What goes wrong in one run. The first fault goes round all kinds, so that none is left to chance;
 * what follows, and the exact byte, is drawn.
 */
export function drawFaults(run: number, random: () => number): Fault[] {
  const first = kinds[run % kinds.length]?.(random());
  const more = random();
  let count = 0;
  if (more < 0.4) count = 1 + Math.floor(random() * 2);
  // More faults than sendings: the call must end without knowing.
  if (more > 0.92) count = 5;
  const others = Array.from({ length: count }, () =>
    kinds[Math.floor(random() * kinds.length)]?.(random()),
  );
  return [first, ...others].filter((fault) => fault !== undefined);
}
