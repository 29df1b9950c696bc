import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { setAutoRenew } from "#kernel/server-states.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { lockRecord, type ServerRecord } from "./server-record.ts";

/** Switches automatic renewal of one of the account's own current servers, in any state. */
export async function setRenewal(
  core: Core,
  call: CustomerCall,
  { serverId, autoRenew }: { readonly serverId: string; readonly autoRenew: boolean },
): Promise<Result<ServerRecord>> {
  const { accountId } = call;
  const wanted = autoRenew ? 1 : 0;
  return core.db.write(async (tx) => {
    const record = await lockRecord(tx, accountId, serverId);
    if (record === undefined) return refuse("not_found");
    if (record.autoRenew === wanted) return ok(record);

    await setAutoRenew(tx, { accountId, serverId }, wanted);
    await audit({ tx, core, call }, "server.set_renewal", serverId, { autoRenew });
    return ok({ ...record, autoRenew: wanted });
  });
}
