import { audit } from "#kernel/audit.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import { retryPtrs } from "#kernel/reverse-dns/record-ptrs.ts";
import { requestComparison } from "#kernel/reverse-dns/record-zones.ts";
import type { Result } from "#ports/result.ts";

/** Has the job retry all that failed and compare all zones now. */
export async function requestRun(
  core: Core,
  call: OperatorCall,
): Promise<Result<{ readonly requestedAt: number }>> {
  const requested = await core.db.write(async (tx) => {
    if (core.reverseDns === undefined) {
      return refuse("conflict", {
        message: "No DNS server is connected. Set IRONLEASE_DNS and restart the service.",
      });
    }
    await retryPtrs({ tx, core });
    await requestComparison({ tx, core });
    await audit({ tx, core, call }, "reverse_dns.run", "reverse_dns");
    return ok({ requestedAt: core.clock.now() });
  });
  if (requested.ok) core.reverseDns?.changes.notify();
  return requested;
}
