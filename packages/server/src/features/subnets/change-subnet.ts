import { audit } from "#kernel/audit.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import { configureSubnet } from "#kernel/subnets.ts";
import type { Result } from "#ports/result.ts";
import { findSubnet, type SubnetRecord } from "./list-subnets.ts";

/** Sets the gateway and the VLAN that operators configure on delivered machines. */
export function changeSubnet(
  core: Core,
  call: OperatorCall,
  change: Parameters<typeof configureSubnet>[1],
): Promise<Result<SubnetRecord>> {
  return core.db.write(async (tx) => {
    const configured = await configureSubnet(tx, change);
    if (!configured.ok) return configured;
    const subnet = await findSubnet(tx, change.id);
    if (subnet === undefined) return refuse("not_found");
    const { id, gateway, vlan } = subnet;
    await audit({ tx, core, call }, "subnet.change", id, { gateway, vlan });
    return ok(subnet);
  });
}
