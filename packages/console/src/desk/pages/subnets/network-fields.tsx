import type { Subnet } from "@ironlease/client/operator";
import { useState } from "react";
import { TextField } from "#ui/field.tsx";

/** The gateway and VLAN of a subnet, which the delivery of a server shows. */
export function useNetworkFields(subnet?: Subnet) {
  const [gateway, setGateway] = useState(subnet?.gateway ?? "");
  const [vlan, setVlan] = useState(subnet?.vlan?.toString() ?? "");
  const isEmpty = (text: string) => text.trim() === "";
  return {
    gateway,
    setGateway,
    vlan,
    setVlan,
    clear: () => {
      setGateway("");
      setVlan("");
    },
    /**
     * Empty fields are left out, and the gateway of an IPv4 network. Text that is no number is sent as it is, because
     * JSON has no NaN: null would remove the VLAN.
     */
    valuesFor: (cidr: string) => ({
      ...(cidr.includes(":") && !isEmpty(gateway) && { gateway: gateway.trim() }),
      ...(!isEmpty(vlan) && { vlan: numberOr(vlan.trim()) }),
    }),
  };
}

/** The service checks the value and says what is wrong. */
function numberOr(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : (text as unknown as number);
}

export function NetworkFields({
  fields,
  isIpv6,
}: {
  readonly fields: ReturnType<typeof useNetworkFields>;
  readonly isIpv6: boolean;
}) {
  return (
    <>
      {isIpv6 && (
        <TextField
          name="gateway"
          label="Gateway (optional)"
          hint="An address outside the subnet, usually link-local"
          placeholder="fe80::1"
          value={fields.gateway}
          onChange={fields.setGateway}
          autoComplete="off"
          spellCheck={false}
          isMono
        />
      )}
      <TextField
        name="vlan"
        label="VLAN (optional)"
        hint={isIpv6 ? "1 to 4094" : "1 to 4094. The gateway is the first address of the network."}
        inputMode="numeric"
        value={fields.vlan}
        onChange={fields.setVlan}
        autoComplete="off"
        isMono
      />
    </>
  );
}
