import type { Core } from "#server/kernel/core.ts";
import { inBatches } from "#server/kernel/sql/batches.ts";
import { ok } from "#server/kernel/result.ts";
import { seedServer } from "./rental.ts";

/**
 * Copies one seeded server, each on a machine and with addresses of its own. They share one order, so the invariants of
 * the ledger do not hold afterwards. Returns the ids, oldest first.
 */
export async function seedManyServers(
  core: Core,
  accountId: string,
  count: number,
  describe: (index: number) => {
    readonly label?: string;
    readonly hostname?: string;
    readonly state?: "ACTIVE" | "GRACE" | "SUSPENDED";
    readonly region_id?: string;
  } = () => ({}),
): Promise<readonly string[]> {
  const seed = await seedServer(core, accountId);
  const { read } = core.db;
  const server = await read
    .selectFrom("servers")
    .selectAll()
    .where("id", "=", seed.id)
    .executeTakeFirstOrThrow();
  const machine = await read
    .selectFrom("machines")
    .selectAll()
    .where("id", "=", seed.machineId)
    .executeTakeFirstOrThrow();
  const [ipv4, ipv6] = await read
    .selectFrom("assignments")
    .selectAll()
    .where("server_id", "=", seed.id)
    .orderBy("family")
    .execute();
  const copies = Array.from({ length: count }, (_, index) => {
    const [id, machineId] = [core.ids.next("server"), core.ids.next("machine")];
    const [high, low] = [Math.floor(index / 250), (index % 250) + 1];
    const addressOf = (assignment: typeof ipv4, address: string) => ({
      ...assignment!,
      id: core.ids.next("assignment"),
      server_id: id,
      address,
    });
    return {
      machine: { ...machine, id: machineId, asset_tag: machineId },
      server: {
        ...server,
        id,
        machine_id: machineId,
        hostname: `web${index + 1}.example.com`,
        ...describe(index),
      },
      assignments: [
        addressOf(ipv4, `198.51.${high}.${low}`),
        addressOf(ipv6, `2001:db8:51:${(index + 1).toString(16)}::`),
      ],
    };
  });
  await core.db.write(async (tx) => {
    await inBatches(copies, async (batch) => {
      await tx
        .insertInto("machines")
        .values(batch.map((copy) => copy.machine))
        .execute();
      await tx
        .insertInto("servers")
        .values(batch.map((copy) => copy.server))
        .execute();
      await tx
        .insertInto("assignments")
        .values(batch.flatMap((copy) => copy.assignments))
        .execute();
    });
    return ok();
  });
  return copies.map((copy) => copy.server.id);
}
