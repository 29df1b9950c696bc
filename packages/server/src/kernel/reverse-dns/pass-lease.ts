import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";

/** PowerDNS locks its database for a change, so only one instance may run a pass at a time. */

/** Longer than a call to the DNS server, before each of which it is renewed. An instance that dies delays the others. */
const leaseMs = 60_000;

/** Takes or renews the lease. False when another instance holds it. */
export async function leasePass(core: Core, holder: string): Promise<boolean> {
  const leased = await core.db.write(async (tx) => {
    const now = core.clock.now();
    const { numUpdatedRows } = await tx
      .updateTable("reverse_dns_state")
      .set({ lease_by: holder, lease_until: now + leaseMs })
      .where("id", "=", 1)
      // A clock that went back must not keep a lease alive, but clocks of two instances differ a little.
      .where(
        sql<boolean>`(lease_by is null or lease_by = ${holder} or lease_until <= ${now}
          or lease_until > ${now + 2 * leaseMs})`,
      )
      .executeTakeFirst();
    return ok(numUpdatedRows === 1n);
  });
  return leased.ok && leased.value;
}

/** Ends the pass, with the reason why DNS could not be used. */
export async function releasePass(core: Core, holder: string, error: string | null): Promise<void> {
  await core.db.write(async (tx) => {
    await tx
      .updateTable("reverse_dns_state")
      .set({ lease_by: null, lease_until: null, checked_at: core.clock.now(), error })
      .where("id", "=", 1)
      .where("lease_by", "=", holder)
      .execute();
    return ok();
  });
}

export async function noteDiscovery(core: Core): Promise<void> {
  await core.db.write(async (tx) => {
    const discovered_at = core.clock.now();
    await tx.updateTable("reverse_dns_state").set({ discovered_at }).where("id", "=", 1).execute();
    return ok();
  });
}
