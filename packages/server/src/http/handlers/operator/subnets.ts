import { addSubnet } from "#features/subnets/add-subnet.ts";
import { changeSubnet } from "#features/subnets/change-subnet.ts";
import { listSubnets } from "#features/subnets/list-subnets.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function subnetHandlers(core: Core): Handlers<"listSubnets" | "addSubnet" | "changeSubnet"> {
  return {
    listSubnets: async ({ query }) =>
      ok({ status: 200, body: { subnets: [...(await listSubnets(core, query))] } }),
    addSubnet: async ({ core, caller, body }) => {
      const result = await addSubnet(core, caller, body);
      return result.ok ? ok({ status: 201, body: result.value }) : result;
    },
    changeSubnet: async ({ core, caller, parameters, body }) => {
      const result = await changeSubnet(core, caller, { ...body, id: parameters.id });
      return result.ok ? ok({ status: 200, body: result.value }) : result;
    },
  };
}
