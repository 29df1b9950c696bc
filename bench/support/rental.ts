import { createLog } from "#server/adapters/system/log.ts";
import { readConfig } from "#server/config.ts";
import { saveCatalogue } from "#server/features/catalogue/save-catalogue.ts";
import type { Core } from "#server/kernel/core.ts";
import { move } from "#server/kernel/ledger.ts";
import { addMachines } from "#server/kernel/machine-intake.ts";
import { createCore } from "#server/composition/create-core.ts";
import { openDatabase } from "#server/composition/open-database.ts";
import { migrations } from "#server/migrations/index.ts";
import { systemCall } from "#server/kernel/call.ts";

const label = "bench";

/** One offer, at one dollar. */
export const benchCatalogue = {
  regions: [{ id: label, name: label, country: label }],
  operatingSystems: [{ id: label, name: label, family: label }],
  configurations: [
    {
      id: label,
      name: label,
      cpu: label,
      memoryGb: 1,
      storage: label,
      bandwidth: label,
      offers: [{ regionId: label, weeklyUsd: 1, monthlyUsd: 1 }],
    },
  ],
  discounts: [],
};

export const benchOrder = {
  configId: label,
  regionId: label,
  osId: label,
  term: "weekly",
  quantity: 1,
};

/** Opens and migrates the database as the service does, runs the work, and closes it. */
export async function withCore<T>(
  data: string,
  databaseUrl: string | undefined,
  work: (core: Core) => Promise<T>,
): Promise<T> {
  const config = readConfig("preview", {
    IRONLEASE_DATA: data,
    // Large statements fill the tables, on a machine that may be busy.
    IRONLEASE_DATABASE_ANSWER: "30m",
    ...(databaseUrl === undefined ? {} : { IRONLEASE_DATABASE_URL: databaseUrl }),
  });
  const db = await openDatabase(config, createLog("silent"));
  try {
    await db.migrate(migrations, Date.now());
    return await work(createCore(config, db));
  } finally {
    await db.close();
  }
}

let batches = 0;

export async function stockUp(core: Core, machines: number): Promise<void> {
  await saveCatalogue(core, systemCall, benchCatalogue);
  for (let added = 0; added < machines; added += 5_000) {
    batches += 1;
    const tags = Array.from(
      { length: 5_000 },
      (_, index) => `bench-${Date.now()}-${batches}-${index}`,
    );
    const result = await core.db.write((tx) =>
      addMachines(
        { tx, core },
        tags.map((assetTag) => ({ assetTag, configId: label, regionId: label })),
      ),
    );
    if (!result.ok) throw new Error(result.refusal.code);
  }
}

export async function giveMoney(core: Core, username: string, cents: number): Promise<string> {
  const { id } = await core.db.read
    .selectFrom("accounts")
    .select("id")
    .where("username", "=", username)
    .executeTakeFirstOrThrow();
  const cause = `bench/${core.ids.next("work")}`;
  const moved = await core.db.write((tx) =>
    move(
      { tx, core },
      {
        type: "ADJUSTMENT",
        accountId: id,
        cents,
        cause,
        description: label,
        reference: { kind: "adjustment", id: cause },
      },
    ),
  );
  if (!moved.ok) throw new Error(moved.refusal.code);
  return id;
}
