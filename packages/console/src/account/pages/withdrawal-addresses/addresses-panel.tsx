import type { WithdrawalAddress } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { classNames } from "#ui/class-names.ts";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { Plus } from "#ui/icons.ts";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { Time, useNow } from "#ui/time.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { AddAddressDialog } from "./add-address-dialog.tsx";
import { LockSwitch } from "./lock-switch.tsx";

/** Where withdrawals may go while they are locked. */
export function WithdrawalAddressesPanel() {
  const addresses = useQuery(reads.withdrawalAddresses);
  const now = useNow(60_000);
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<WithdrawalAddress>();
  const remove = useChange(client.removeWithdrawalAddress, [reads.withdrawalAddresses.queryKey]);
  const close = () => {
    setRemoved(undefined);
    remove.reset();
  };
  return (
    <Panel
      title="Withdrawals"
      isFlush
      actions={
        <Button icon={<Plus aria-hidden className="size-4" />} onClick={() => setIsAdding(true)}>
          Save address
        </Button>
      }
    >
      <LockSwitch />
      <Loaded query={addresses}>
        {({ withdrawalAddresses }) =>
          withdrawalAddresses.length === 0 ? (
            <EmptyState title="No saved addresses">
              Save your wallets' addresses before you lock withdrawals.
            </EmptyState>
          ) : (
            <Table
              label="Withdrawal addresses"
              columns={columnsWith(now, setRemoved)}
              rows={withdrawalAddresses}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      {isAdding && <AddAddressDialog onClose={() => setIsAdding(false)} />}
      {removed !== undefined && (
        <ConfirmDialog
          isOpen
          title={`Remove this ${removed.asset} address?`}
          description={
            <p>
              You can no longer use it while withdrawals are locked. If you save it again, it
              becomes usable after 48 hours.
            </p>
          }
          confirmLabel="Remove address"
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate(
              { id: removed.id },
              {
                onSuccess: () => {
                  close();
                  toast("Withdrawal address removed");
                },
              },
            )
          }
          onClose={close}
        >
          <code className="font-mono text-sm break-all">{removed.destination}</code>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function columnsWith(
  now: number,
  onRemove: (address: WithdrawalAddress) => void,
): readonly Column<WithdrawalAddress>[] {
  return [
    {
      title: "Address",
      isHeading: true,
      isFreeText: true,
      cell: ({ label, destination }) => (
        <span className="flex flex-col">
          {label}
          <code
            className={classNames(
              "font-mono font-normal break-all",
              label === "" ? "text-sm" : "text-xs text-quiet",
            )}
          >
            {destination}
          </code>
        </span>
      ),
    },
    { title: "Currency", place: "detail", cell: ({ asset }) => asset },
    {
      title: "Usable while locked",
      place: "labelled",
      cell: ({ usableAt }) =>
        Date.parse(usableAt) <= now ? (
          "Yes"
        ) : (
          <>
            From <Time at={usableAt} />
          </>
        ),
    },
    {
      title: "Actions",
      isTitleHidden: true,
      isNumber: true,
      place: "corner",
      cell: (address) => (
        <Button size="small" onClick={() => onRemove(address)}>
          Remove<span className="sr-only"> {address.destination}</span>
        </Button>
      ),
    },
  ];
}
