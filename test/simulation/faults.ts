import type { SeededRandom } from "./seeded-random.ts";

/** The faults possible at each gate, where a request waits for another component. */
const faultsAt = {
  /** Before the client sends the request. */
  send: [],
  read: ["lost connection", "database error"],
  begin: ["lost connection"],
  statement: ["lost connection", "database error"],
  /** After the last statement, before the commit. */
  commit: ["lost connection", "serialization failure"],
  /** After the commit or rollback, before the answer. */
  answer: ["lost answer"],
  provider: ["provider timeout", "bad answer"],
  /** After the provider has performed the call. */
  "provider's answer": ["provider timeout"],
  rate: ["provider timeout"],
  hash: ["hashing refused"],
} as const;

export type Gate = keyof typeof faultsAt;
export type Fault = (typeof faultsAt)[Gate][number];

/** Probabilities of a fault and of a crash at each gate. */
export interface FaultProfile {
  readonly fault: number;
  readonly crash: number;
}

export const noFaults: FaultProfile = { fault: 0, crash: 0 };

const faultProfiles: readonly FaultProfile[] = [
  noFaults,
  { fault: 0.005, crash: 0.003 },
  { fault: 0.01, crash: 0.0005 },
  { fault: 0.03, crash: 0.0005 },
  { fault: 0.08, crash: 0.001 },
];

export function drawFaultProfile(random: SeededRandom): FaultProfile {
  return random.pick(faultProfiles);
}

export function drawFault(
  random: SeededRandom,
  gate: Gate,
  faultProfile: FaultProfile,
): Fault | undefined {
  const faults: readonly Fault[] = faultsAt[gate];
  if (!random.happens(faultProfile.fault) || faults.length === 0) return undefined;
  return random.pick(faults);
}
