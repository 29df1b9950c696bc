import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { noteDiscovery } from "#kernel/reverse-dns/pass-lease.ts";
import { trackPtr } from "#kernel/reverse-dns/track-ptrs.ts";
import { untrackedPtrs } from "./tracked-ptrs.ts";

const discoverEveryMs = 15 * 60_000;
const subnetsAtOnce = 100;
const ptrsAtOnce = 500;

/** Tracks the addresses that were assigned before the service tracked their records. */
export async function discoverPtrs(core: Core): Promise<void> {
  const { discovered_at: last } = await core.db.read
    .selectFrom("reverse_dns_state")
    .select("discovered_at")
    .where("id", "=", 1)
    .executeTakeFirstOrThrow();
  if (core.clock.now() - last < discoverEveryMs) return;
  for (let after = ""; ;) {
    const subnets = await core.db.read
      .selectFrom("subnets")
      .select("id")
      .where("id", ">", after)
      .orderBy("id")
      .limit(subnetsAtOnce)
      .execute();
    for (const { id } of subnets) await discoverIn(core, id);
    if (subnets.length < subnetsAtOnce) break;
    after = subnets.at(-1)?.id ?? "";
  }
  await noteDiscovery(core);
}

async function discoverIn(core: Core, subnetId: string): Promise<void> {
  for (;;) {
    const untracked = await untrackedPtrs(core, subnetId, ptrsAtOnce);
    await core.db.write(async (tx) => {
      for (const subnet of untracked) await trackPtr({ tx, core }, subnet, subnet.address);
      return ok();
    });
    if (untracked.length < ptrsAtOnce) return;
  }
}
