import { Client } from "../power-cuts/client.ts";
import { Load } from "../power-cuts/load.ts";
import type { Acknowledgement } from "../power-cuts/acknowledgement.ts";
import { SeededRandom } from "../power-cuts/seeded-random.ts";
import type { TestBed } from "./test-bed.ts";

const steps = 5;

export interface Recorded {
  readonly acknowledgements: Acknowledgement[];
  round(): Promise<void>;
}

/** New customers, whose rounds of changes are recorded. */
export async function openRecordedLoad(
  { service }: TestBed,
  name: string,
  seed: number,
): Promise<Recorded> {
  const acknowledgements: Acknowledgement[] = [];
  const client = new Client(service, {
    note: (note) => "acknowledged" in note && acknowledgements.push(note.acknowledgement),
  });
  const load = await Load.open(client, name, { random: new SeededRandom(seed), machines: 400 });
  return { acknowledgements, round: () => load.round(steps) };
}
