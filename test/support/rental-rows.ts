import { sql } from "kysely";
import type { Core } from "../../packages/server/src/kernel/core.ts";
import { move } from "../../packages/server/src/kernel/ledger.ts";
import type { Tx } from "../../packages/server/src/ports/db.ts";
import type { MachineState, Term } from "../../packages/server/src/ports/schema.ts";

/** What is seeded when nothing is said: all of it in the demo catalogue. */
export const atHand = { configId: "metal-s", regionId: "fra", osId: "debian-13" } as const;

/** A machine somewhere on the way, without going through the desk. */
export interface MachineSeed {
  readonly configId?: string;
  readonly regionId?: string;
  readonly state?: MachineState;
}

export async function addMachine(tx: Tx, core: Core, seed: MachineSeed): Promise<string> {
  const { configId, regionId, state = "FREE" } = { ...atHand, ...seed };
  const id = core.ids.next("machine");
  const free = state === "FREE" ? 1 : 0;
  await tx
    .insertInto("stock")
    .values({ config_id: configId, region_id: regionId, free })
    .onConflict((conflict) =>
      conflict.columns(["config_id", "region_id"]).doUpdateSet({ free: sql`stock.free + ${free}` }),
    )
    .execute();
  await tx
    .insertInto("machines")
    .values({
      id,
      asset_tag: id,
      config_id: configId,
      region_id: regionId,
      state,
      created_at: core.clock.now(),
    })
    .execute();
  return id;
}

interface OrderColumns {
  readonly config_id: string;
  readonly region_id: string;
  readonly os_id: string;
  readonly term: Term;
  readonly total_cents: number;
  readonly ssh_public_key: string | null;
}

/** The sum is given to the account first, so that its balance is the same before and after. */
export async function addOrder(
  tx: Tx,
  core: Core,
  accountId: string,
  columns: OrderColumns,
): Promise<string> {
  const orderId = core.ids.next("order");
  const reference = { kind: "order", id: orderId };
  const movement = { accountId, cents: columns.total_cents, description: "Seeded", reference };
  const given = await move(tx, core, { ...movement, type: "ADJUSTMENT", cause: `seed/${orderId}` });
  const charged = await move(tx, core, {
    ...movement,
    type: "ORDER_CHARGE",
    cause: `order/${orderId}`,
  });
  if (!given.ok || !charged.ok) throw new Error("the account does not exist");
  await tx
    .insertInto("orders")
    .values({
      id: orderId,
      account_id: accountId,
      quantity: 1,
      ...columns,
      created_at: core.clock.now(),
    })
    .execute();
  return orderId;
}

let subnets = 0;

/** Each from a subnet of its own, so that no two seeds can ever meet. */
export async function addAssignment(
  tx: Tx,
  core: Core,
  to: { accountId: string; id: string; regionId: string; family: 4 | 6 },
): Promise<string> {
  subnets += 1;
  const now = core.clock.now();
  const { address, cidr, first, last, prefixLength } =
    to.family === 4 ? ipv4(subnets) : ipv6(subnets);
  const [subnetId, id] = [core.ids.next("subnet"), core.ids.next("assignment")];
  const addresses = { first_address: first, last_address: last, next_index: 1 };
  await tx
    .insertInto("subnets")
    .values({
      id: subnetId,
      region_id: to.regionId,
      cidr,
      family: to.family,
      ...addresses,
      created_at: now,
    })
    .execute();
  const place = { address, prefix_length: prefixLength, family: to.family };
  const owner = { account_id: to.accountId, server_id: to.id, subnet_id: subnetId };
  await tx
    .insertInto("assignments")
    .values({ id, ...owner, ...place, ptr: "", created_at: now, released_at: null })
    .execute();
  return id;
}

/** The n-th address of 10.0.0.0/8 as a subnet of one. */
function ipv4(n: number) {
  const address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
  const hex = (0x0a000000 + n).toString(16).padStart(8, "0");
  return { address, cidr: `${address}/32`, first: hex, last: hex, prefixLength: 32 };
}

/** The n-th /64 of the documentation prefix. */
function ipv6(n: number) {
  const [high, low] = [(n >> 16).toString(16), (n & 0xffff).toString(16)];
  const address = `2001:db8:${high}:${low}::`;
  const network = `20010db8${high.padStart(4, "0")}${low.padStart(4, "0")}`;
  const [first, last] = [network.padEnd(32, "0"), network.padEnd(32, "f")];
  return { address, cidr: `${address}/64`, first, last, prefixLength: 64 };
}
