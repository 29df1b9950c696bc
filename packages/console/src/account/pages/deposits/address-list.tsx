import type { DepositAddress } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { Badge } from "#ui/badge.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { IdText } from "#ui/id-text.tsx";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";

const columns: readonly Column<DepositAddress>[] = [
  {
    title: "Address",
    isHeading: true,
    isLong: true,
    cell: ({ id, address }) => (
      <span className="flex flex-wrap items-center gap-x-3 card:flex-nowrap">
        <IdText id={address} what="address" />
        <TextLink to={urlOf(accountRoutes.depositAddress, { id })} className="text-sm">
          Deposit
        </TextLink>
      </span>
    ),
  },
  {
    title: "Currency",
    place: "detail",
    cell: ({ asset, mode }) => (
      <span className="flex flex-wrap items-center gap-2">
        {asset}
        {mode !== "LIVE" && <Badge tone="warn">{mode}</Badge>}
      </span>
    ),
  },
  { title: "Created", place: "labelled", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: "Payments",
    isNumber: true,
    place: "labelled",
    cell: ({ deposits }) =>
      deposits === 0 ? <span className="text-quiet">None yet</span> : deposits,
  },
];

/** Every address that the account has. Nothing is shown before the first one. */
export function AddressList() {
  const addresses = useQuery(reads.depositAddresses);
  if (addresses.data?.depositAddresses.length === 0) return null;
  return (
    <Panel
      title="Your addresses"
      description="The latest 100. Addresses never expire: a payment to any of them is credited."
      isFlush
    >
      <Loaded query={addresses}>
        {({ depositAddresses }) => (
          <Table
            label="Addresses"
            columns={columns}
            rows={depositAddresses}
            keyOf={({ id }) => id}
          />
        )}
      </Loaded>
    </Panel>
  );
}
