import ipaddr from "ipaddr.js";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse, refuseField } from "./result.ts";
import { firstPlace, gatewayOf, hexOf } from "./address-places.ts";
import { accepted, rejected, type Checked } from "./checked.ts";
import type { TxScope } from "./call.ts";
import { readReverseZone } from "./reverse-dns/reverse-names.ts";

export interface Subnet {
  readonly id: string;
  readonly regionId: string;
  readonly cidr: string;
  /** Null for the usual zone. */
  readonly reverseZone: string | null;
  readonly gateway: string | null;
  readonly vlan: number | null;
}

/** What operators configure on machines. */
interface Configured {
  readonly gateway?: string | null | undefined;
  readonly vlan?: number | null | undefined;
}

export interface NewSubnet extends Configured {
  readonly regionId: string;
  readonly cidr: string;
  readonly reverseZone?: string | undefined;
}

/** Assigning an address locks every subnet of its region, so their number is bounded. */
const maxSubnetsPerRegion = 1_000;

/**
 * Adds a subnet to a region, unless it overlaps any other subnet. The row of its address family is locked first, so
 * that concurrent overlapping additions see each other.
 */
export async function addSubnet(
  { tx, core }: TxScope,
  { regionId, cidr: text, reverseZone: chosenZone, vlan = null, ...input }: NewSubnet,
): Promise<Result<Subnet>> {
  const read = readCidr(text);
  if (!read.ok) return refuseField("cidr", read.message);
  const { cidr, family, first, last } = read.value;
  const zone = chosenZone === undefined ? accepted(null) : readReverseZone(chosenZone, read.value);
  if (!zone.ok) return refuseField("reverseZone", zone.message);
  const reverseZone = zone.value;
  const checked = readGateway(input.gateway ?? null, read.value);
  if (!checked.ok) return refuseField("gateway", checked.message);
  const gateway = checked.value;

  await tx
    .selectFrom("address_families")
    .select("family")
    .where("family", "=", family)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const other = await tx
    .selectFrom("subnets")
    .select(["cidr", "region_id as regionId"])
    .where("family", "=", family)
    .where("first_address", "<=", last)
    .where("last_address", ">=", first)
    .limit(1)
    .executeTakeFirst();
  if (other !== undefined) {
    return refuse("conflict", {
      message: `${cidr} overlaps the subnet ${other.cidr} of the region ${other.regionId}. Choose another network.`,
    });
  }
  const { count } = await tx
    .selectFrom("subnets")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("region_id", "=", regionId)
    .executeTakeFirstOrThrow();
  if (count >= maxSubnetsPerRegion) {
    return refuse("limit_reached", {
      message: `The region ${regionId} has reached the limit of ${maxSubnetsPerRegion} subnets.`,
    });
  }

  const id = core.ids.next("subnet");
  await tx
    .insertInto("subnets")
    .values({
      id,
      cidr,
      family,
      region_id: regionId,
      first_address: first,
      last_address: last,
      next_index: firstPlace(family),
      created_at: core.clock.now(),
      reverse_zone: reverseZone,
      gateway,
      vlan,
    })
    .execute();
  const places = { family, first_address: first, last_address: last };
  return ok({ id, regionId, cidr, reverseZone, gateway: gatewayOf({ ...places, gateway }), vlan });
}

/** Sets what operators configure. What is left out stays. */
export async function configureSubnet(
  tx: Tx,
  { id, ...change }: Configured & { readonly id: string },
): Promise<Result<void>> {
  const subnet = await tx
    .selectFrom("subnets")
    .select(["family", "first_address as first", "last_address as last", "gateway", "vlan"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (subnet === undefined) return refuse("not_found");
  const { gateway: wanted = subnet.gateway, vlan = subnet.vlan } = change;
  const gateway = readGateway(wanted, subnet);
  if (!gateway.ok) return refuseField("gateway", gateway.message);
  await tx
    .updateTable("subnets")
    .set({ gateway: gateway.value, vlan })
    .where("id", "=", id)
    .execute();
  return ok();
}

/** Every prefix of an IPv6 subnet can be a customer's, so its gateway is outside of it. */
function readGateway(
  text: string | null,
  {
    family,
    first,
    last,
  }: { readonly family: number; readonly first: string; readonly last: string },
): Checked<string | null> {
  if (text === null) return accepted(null);
  if (family === 4)
    return rejected("must be omitted: the gateway is the first address of the subnet");
  if (text.includes("%") || !ipaddr.IPv6.isValid(text)) {
    return rejected("must be an IPv6 address such as fe80::1, or null");
  }
  const address = ipaddr.IPv6.parse(text);
  const hex = hexOf(address);
  if (hex >= first && hex <= last) return rejected("must not be in the subnet");
  return accepted(address.toString());
}

/** Takes a place that was never assigned, if it is still the subnet's next one. */
export async function takeUnusedPlace(
  tx: Tx,
  subnet: { readonly id: string; readonly next_index: number },
  place: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("subnets")
    .set({ next_index: place + 1 })
    .where("id", "=", subnet.id)
    .where("next_index", "=", subnet.next_index)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

interface Cidr {
  /** In its shortest notation, so that a network has one text. */
  readonly cidr: string;
  readonly family: 4 | 6;
  readonly first: string;
  readonly last: string;
}

const refusals = {
  form: "must be a network such as 198.51.100.0/24 or 2001:db8::/48",
  size4: "must be a /8 to a /30",
  size6: "must be a /32 to a /64",
} as const;

/** Reads an IPv4 network of /8 to /30 or an IPv6 network of /32 to /64, given by its network address. */
function readCidr(text: string): Checked<Cidr> {
  const [, address = "", bits = ""] = /^([0-9a-f.:]{1,45})\/(0|[1-9]\d{0,2})$/i.exec(text) ?? [];
  const prefix = Number(bits);
  const isIpv4 = ipaddr.IPv4.isValidFourPartDecimal(address);
  // The library reads a leading zero as octal, but people mean decimal.
  if (isIpv4 && /(?:^|\.)0\d/.test(address)) return rejected(refusals.form);
  if (!isIpv4 && !ipaddr.IPv6.isValid(address)) return rejected(refusals.form);
  if (isIpv4 && (prefix < 8 || prefix > 30)) return rejected(refusals.size4);
  if (!isIpv4 && (prefix < 32 || prefix > 64)) return rejected(refusals.size6);

  const first = ipaddr.parse(address);
  const network = isIpv4
    ? ipaddr.IPv4.networkAddressFromCIDR(text)
    : ipaddr.IPv6.networkAddressFromCIDR(text);
  const last = isIpv4
    ? ipaddr.IPv4.broadcastAddressFromCIDR(text)
    : ipaddr.IPv6.broadcastAddressFromCIDR(text);
  if (hexOf(first) !== hexOf(network)) {
    return rejected(`must start with its network address: ${network.toString()}/${prefix}`);
  }
  return accepted({
    cidr: `${network.toString()}/${prefix}`,
    family: isIpv4 ? 4 : 6,
    first: hexOf(first),
    last: hexOf(last),
  });
}
