import type { Chance } from "./chance.ts";

/** Where a request waits for somebody else, and so where something can go wrong. */
const faultsAt = {
  /** On the sender's own side: nothing goes wrong here. */
  send: [],
  read: ["lost connection", "database error"],
  begin: ["lost connection"],
  statement: ["lost connection", "database error"],
  /** All statements are done and nothing is committed. */
  commit: ["lost connection", "serialization failure"],
  /** Committed, or refused and undone, and not yet answered. */
  answer: ["lost answer"],
  provider: ["provider time-out", "bad answer"],
  /** It has done what it was asked for. */
  "provider's answer": ["provider time-out"],
  rate: ["provider time-out"],
  hash: ["hashing refused"],
} as const;

export type Gate = keyof typeof faultsAt;
export type Fault = (typeof faultsAt)[Gate][number];

/** How much goes wrong in a run. */
export interface Weather {
  readonly name: string;
  /** For each gate. */
  readonly fault: number;
  readonly death: number;
}

export const calm: Weather = { name: "calm", fault: 0, death: 0 };

const weathers: readonly Weather[] = [
  calm,
  { name: "deadly", fault: 0.005, death: 0.003 },
  { name: "fair", fault: 0.01, death: 0.0005 },
  { name: "rough", fault: 0.03, death: 0.0005 },
  { name: "storm", fault: 0.08, death: 0.001 },
];

export function drawWeather(chance: Chance): Weather {
  return chance.pick(weathers);
}

export function drawFault(chance: Chance, gate: Gate, weather: Weather): Fault | undefined {
  const faults: readonly Fault[] = faultsAt[gate];
  if (!chance.happens(weather.fault) || faults.length === 0) return undefined;
  return chance.pick(faults);
}
