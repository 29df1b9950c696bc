import { audit } from "#kernel/audit.ts";
import { currentCatalogue } from "#kernel/catalogue.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { addSubnet as addPool, type NewSubnet } from "#kernel/subnets.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuseField } from "#kernel/result.ts";
import type { SubnetRecord } from "./list-subnets.ts";

/** Adds a subnet to a region of the catalogue. If the catalogue drops the region later, its subnets stay. */
export async function addSubnet(
  core: Core,
  call: OperatorCall,
  input: NewSubnet,
): Promise<Result<SubnetRecord>> {
  return core.db.write(async (tx) => {
    const { document } = await currentCatalogue(tx, core);
    if (!document.regions.some(({ id }) => id === input.regionId)) {
      return refuseField("regionId", "is not in the catalogue");
    }
    const added = await addPool({ tx, core }, input);
    if (!added.ok) return added;
    const { id, regionId, cidr, reverseZone } = added.value;
    const { gateway = null, vlan = null } = input;
    const detail = {
      regionId,
      cidr,
      ...(reverseZone !== null && { reverseZone }),
      ...(gateway !== null && { gateway }),
      ...(vlan !== null && { vlan }),
    };
    await audit({ tx, core, call }, "subnet.add", id, detail);
    return ok({ ...added.value, assigned: 0 });
  });
}
