import { lostChanges } from "../power-cuts/acknowledgement.ts";
import { openRecordedLoad } from "./load-once.ts";
import type { TestBed } from "./test-bed.ts";

const rounds = 3;

/** What the control lost: acknowledged changes that the new primary does not have. */
export interface Control {
  readonly acknowledged: number;
  readonly lost: readonly string[];
}

/**
 * Replicates asynchronously, kills the standbys, lets customers write, and kills the primary. What the standbys have not
 * seen is lost: if this harness finds no loss here, it would find none anywhere.
 */
export async function loseWrites(bed: TestBed, seed: number): Promise<Control> {
  const { cluster } = bed;
  await cluster.configure({ synchronous_mode: false, synchronous_mode_strict: false });
  await cluster.until("replication is asynchronous", async () =>
    (await cluster.members()).every(({ role }) => role !== "sync_standby"),
  );
  const load = await openRecordedLoad(bed, "control", seed);
  const [primary, standbys] = [await cluster.leader(), await cluster.standbys()];
  await Promise.all(standbys.map((standby) => standby.kill()));
  for (let round = 0; round < rounds; round += 1) await load.round();
  await primary.kill();
  for (const standby of standbys) standby.start();
  await cluster.until("a standby leads", async () =>
    (await cluster.members()).some(({ role, name }) => role === "leader" && name !== primary.name),
  );
  const db = await bed.openPrimary();
  try {
    const lost = await lostChanges(db, load.acknowledgements);
    return { acknowledged: load.acknowledgements.length, lost };
  } finally {
    await db.close();
  }
}

/** The control must lose writes. */
export function problemsOfControl({ lost }: Control): readonly string[] {
  if (lost.length > 0) return [];
  return ["the control with asynchronous replication lost nothing: this run proves nothing"];
}
