import { assignAddresses, type Recipient } from "#server/kernel/addresses.ts";
import type { Core } from "#server/kernel/core.ts";
import { addStock } from "#server/kernel/inventory.ts";
import { move } from "#server/kernel/ledger.ts";
import { addSubnet } from "#server/kernel/subnets.ts";
import type { Tx } from "#server/ports/db.ts";
import type { MachineState, Term } from "#server/ports/schema.ts";

/** The defaults of seeded rows. */
export const seedDefaults = { configId: "metal-s", regionId: "fra", osId: "debian-13" } as const;

/** A machine in any state, added without the API. */
export interface MachineSeed {
  readonly configId?: string;
  readonly regionId?: string;
  readonly state?: MachineState;
}

export async function addMachine(tx: Tx, core: Core, seed: MachineSeed): Promise<string> {
  const { configId, regionId, state = "FREE" } = { ...seedDefaults, ...seed };
  const id = core.ids.next("machine");
  await addStock(tx, { configId, regionId }, { free: state === "FREE" ? 1 : 0, machines: 1 });
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

/** Credits the amount first, so that the balance is the same before and after. */
export async function addOrder(
  tx: Tx,
  core: Core,
  accountId: string,
  columns: OrderColumns,
): Promise<string> {
  const orderId = core.ids.next("order");
  const reference = { kind: "order", id: orderId };
  const movement = { accountId, cents: columns.total_cents, description: "Seeded", reference };
  const given = await move(
    { tx, core },
    { ...movement, type: "ADJUSTMENT", cause: `seed/${orderId}` },
  );
  const charged = await move(
    { tx, core },
    {
      ...movement,
      type: "ORDER_CHARGE",
      cause: `order/${orderId}`,
    },
  );
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

/** Assigns a server sets of an IPv4 address and an IPv6 prefix, and returns their ids in that order. */
export async function addAddresses(
  tx: Tx,
  core: Core,
  recipient: Recipient,
  sets: number,
): Promise<readonly string[]> {
  if (sets === 0) return [];
  await addMissingPools(tx, core, recipient.regionId);
  for (let set = 0; set < sets; set += 1) {
    const assigned = await assignAddresses({ tx, core }, recipient);
    if (!assigned.ok) throw new Error(`no address to seed: ${assigned.refusal.message}`);
  }
  const assignments = tx.selectFrom("assignments").select("id").orderBy("created_at").orderBy("id");
  const rows = await assignments.where("server_id", "=", recipient.serverId).execute();
  return rows.map(({ id }) => id);
}

let pools = 0;

/** A region without subnets gets its own, which overlap no others. */
async function addMissingPools(tx: Tx, core: Core, regionId: string): Promise<void> {
  const subnets = tx.selectFrom("subnets").select("id").where("region_id", "=", regionId);
  if ((await subnets.limit(1).execute()).length > 0) return;
  pools += 1;
  for (const cidr of [`10.${pools & 255}.0.0/16`, `fd00:0:${(pools & 255).toString(16)}::/48`]) {
    const added = await addSubnet({ tx, core }, { regionId, cidr });
    if (!added.ok) throw new Error(`no pool to seed: ${JSON.stringify(added.refusal)}`);
  }
}
