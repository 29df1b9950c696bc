import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import { setServerLabel } from "#kernel/server-states.ts";
import type { Result } from "#ports/result.ts";
import { lockRecord, type ServerRecord } from "./server-record.ts";

/** Names one of the account's own current servers, in any state. An empty label removes the name. */
export async function setLabel(
  core: Core,
  call: CustomerCall,
  { serverId, ...input }: { readonly serverId: string; readonly label: string },
): Promise<Result<ServerRecord>> {
  const { accountId } = call;
  const label = input.label.trim();
  return core.db.write(async (tx) => {
    const record = await lockRecord(tx, accountId, serverId);
    if (record === undefined) return refuse("not_found");
    if (record.label === label) return ok(record);

    await setServerLabel(tx, { accountId, serverId }, label);
    await audit({ tx, core, call }, "server.set_label", serverId, { label });
    return ok({ ...record, label });
  });
}
