import type { Subnet } from "@ironlease/client/operator";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { Form } from "#ui/form.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { NetworkFields, useNetworkFields } from "./network-fields.tsx";

/** Sets what operators configure on the machines of a subnet. */
export function ChangeSubnetDialog({
  subnet: { id, cidr, ...subnet },
  onClose,
}: {
  readonly subnet: Subnet;
  readonly onClose: () => void;
}) {
  const isIpv6 = cidr.includes(":");
  const fields = useNetworkFields({ id, cidr, ...subnet });
  const change = useChange(client.changeSubnet, [keys.subnets, keys.work]);
  const title = `Edit ${cidr}`;
  const cleared = { vlan: null, ...(isIpv6 && { gateway: null }) };
  return (
    <Dialog isOpen title={title} onClose={onClose}>
      <Form
        label={title}
        error={change.error}
        onSubmit={() =>
          change.mutate(
            { id, ...cleared, ...fields.valuesFor(cidr) },
            {
              onSuccess: () => {
                toast("Subnet saved");
                onClose();
              },
            },
          )
        }
      >
        <NetworkFields fields={fields} isIpv6={isIpv6} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={change.isPending}>
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
