import type { Kysely } from "kysely";
import { addressAt, gatewayOf, prefixLengthIn } from "#kernel/address-places.ts";
import { defaultHostname } from "#kernel/server-hostname.ts";
import type { Schema, Term } from "#ports/schema.ts";

/** One address as the operator configures it on the machine. */
export interface DeliveryAddress {
  readonly family: number;
  readonly address: string;
  /** For IPv4 that of the subnet, because the gateway is in it. */
  readonly prefixLength: number;
  readonly gateway: string | null;
  readonly vlan: number | null;
  readonly subnet: string;
}

/** What an operator needs to deliver a server, and what was delivered. */
export interface Delivery {
  readonly machineId: string;
  readonly assetTag: string;
  readonly rack: string | null;
  readonly unit: number | null;
  readonly serialNumber: string | null;
  readonly switchPort: string | null;
  readonly configId: string;
  readonly regionId: string;
  readonly osId: string;
  readonly sshPublicKey: string | null;
  readonly term: Term;
  readonly priceCents: number;
  /** The name that it has, or gets unless the operator enters another. */
  readonly hostname: string;
  /** Reserved until the item ends, then assigned. */
  readonly addresses: readonly DeliveryAddress[];
  /** Why an address is missing, and what to do. */
  readonly problem: string | null;
}

/** Reads the delivery of a PROVISION item. */
export async function readDelivery(
  db: Kysely<Schema>,
  item: { readonly id: string; readonly state: string; readonly serverId: string },
): Promise<Delivery> {
  const { hostname, ...server } = await db
    .selectFrom("servers")
    .innerJoin("orders", "orders.id", "servers.order_id")
    .innerJoin("machines", "machines.id", "servers.machine_id")
    .select([
      "servers.machine_id as machineId",
      "machines.asset_tag as assetTag",
      "machines.rack",
      "machines.unit",
      "machines.serial_number as serialNumber",
      "machines.switch_port as switchPort",
      "servers.config_id as configId",
      "servers.region_id as regionId",
      "servers.os_id as osId",
      "orders.ssh_public_key as sshPublicKey",
      "servers.term",
      "servers.price_cents as priceCents",
      "servers.hostname",
    ])
    .where("servers.id", "=", item.serverId)
    .executeTakeFirstOrThrow();
  const addresses =
    item.state === "DONE"
      ? await assignedAddresses(db, item.serverId)
      : await reservedAddresses(db, item.id);
  const problem =
    item.state === "CLAIMED" ? await findProblem(db, server.regionId, addresses) : null;
  return { ...server, hostname: hostname ?? defaultHostname(item.serverId), addresses, problem };
}

const subnetColumns = [
  "subnets.family",
  "subnets.cidr",
  "subnets.gateway",
  "subnets.vlan",
  "subnets.first_address",
  "subnets.last_address",
] as const;

async function reservedAddresses(
  db: Kysely<Schema>,
  workId: string,
): Promise<readonly DeliveryAddress[]> {
  const rows = await db
    .selectFrom("address_reservations")
    .innerJoin("subnets", "subnets.id", "address_reservations.subnet_id")
    .select(subnetColumns)
    .select("address_reservations.place")
    .where("address_reservations.work_id", "=", workId)
    .orderBy("address_reservations.family")
    .execute();
  return rows.map((row) => configured(row, addressAt(row, row.place)));
}

async function assignedAddresses(
  db: Kysely<Schema>,
  serverId: string,
): Promise<readonly DeliveryAddress[]> {
  const rows = await db
    .selectFrom("assignments")
    .innerJoin("subnets", "subnets.id", "assignments.subnet_id")
    .select(subnetColumns)
    .select("assignments.address")
    .where("assignments.server_id", "=", serverId)
    .where("assignments.released_at", "is", null)
    .execute();
  return rows.toSorted((a, b) => a.family - b.family).map((row) => configured(row, row.address));
}

function configured(
  subnet: Pick<
    Schema["subnets"],
    "family" | "cidr" | "gateway" | "vlan" | "first_address" | "last_address"
  >,
  address: string,
): DeliveryAddress {
  return {
    family: subnet.family,
    address,
    prefixLength: prefixLengthIn(subnet),
    gateway: gatewayOf(subnet),
    vlan: subnet.vlan,
    subnet: subnet.cidr,
  };
}

/** Completing refuses for the same reason. */
async function findProblem(
  db: Kysely<Schema>,
  regionId: string,
  addresses: readonly DeliveryAddress[],
): Promise<string | null> {
  const families = await db
    .selectFrom("subnets")
    .select("family")
    .distinct()
    .where("region_id", "=", regionId)
    .orderBy("family")
    .execute();
  const addThenClaim = "Add a subnet, then claim this item again.";
  if (families.length === 0) return `The region ${regionId} has no subnet. ${addThenClaim}`;
  const missing = families.find(
    ({ family }) => !addresses.some((address) => address.family === family),
  );
  return missing === undefined
    ? null
    : `No IPv${missing.family} address of the region ${regionId} is reserved. Claim this item again. If that does not help, all are in use: add a subnet first.`;
}
