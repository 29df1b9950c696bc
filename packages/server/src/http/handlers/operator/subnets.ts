import { addSubnet } from "#features/subnets/add-subnet.ts";
import { listSubnets } from "#features/subnets/list-subnets.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function subnetHandlers(core: Core): Handlers<"listSubnets" | "addSubnet"> {
  return {
    listSubnets: async ({ query }) =>
      ok({ status: 200, body: { subnets: [...(await listSubnets(core, query))] } }),
    addSubnet: async ({ core, caller, body }) => {
      const result = await addSubnet(core, caller, body);
      return result.ok ? ok({ status: 201, body: result.value }) : result;
    },
  };
}
