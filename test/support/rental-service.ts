import assert from "node:assert/strict";
import type { CatalogueDocument } from "@ironlease/contract";
import { saveCatalogue } from "#server/features/catalogue/save-catalogue.ts";
import { verifyInvariants } from "#server/features/verification/verify-invariants.ts";
import { currentCatalogue, priceOf } from "#server/kernel/catalogue.ts";
import type { Core } from "#server/kernel/core.ts";
import { move } from "#server/kernel/ledger.ts";
import { addMachines } from "#server/kernel/machine-intake.ts";
import type { Db, Engine } from "#server/ports/db.ts";
import type { Answer } from "./https-client.ts";
import {
  startTestService,
  type Customer,
  type TestService,
  type TestServiceOptions,
} from "./service.ts";
import { systemCall } from "#server/kernel/call.ts";

/** A catalogue with known content. */
export const testCatalogue: CatalogueDocument = {
  regions: [
    { id: "fra", name: "Frankfurt", country: "Germany" },
    { id: "ams", name: "Amsterdam", country: "Netherlands" },
  ],
  operatingSystems: [
    { id: "debian-13", name: "Debian 13", family: "linux" },
    { id: "ubuntu-24.04", name: "Ubuntu 24.04", family: "linux" },
  ],
  configurations: [
    {
      id: "metal-s",
      name: "Metal S",
      cpu: "8 cores",
      memoryGb: 32,
      storage: "2 × 480 GB",
      bandwidth: "1 Gbit/s",
      offers: [{ regionId: "fra", weeklyUsd: 15.5, monthlyUsd: 49.99 }],
    },
    {
      id: "metal-l",
      name: "Metal L",
      cpu: "64 cores",
      memoryGb: 512,
      storage: "4 × 3.84 TB",
      bandwidth: "10 Gbit/s",
      offers: [{ regionId: "ams", weeklyUsd: 130, monthlyUsd: 449 }],
    },
  ],
  discounts: [
    { minQuantity: 5, percent: 7.5 },
    { minQuantity: 10, percent: 12.33 },
  ],
};

/** A valid order from `testCatalogue`. */
export const order = {
  configId: "metal-s",
  regionId: "fra",
  osId: "debian-13",
  term: "monthly",
  quantity: 1,
} as const;

/** An offer with exactly three free machines at the start. */
export const scarce = { configId: "metal-l", regionId: "ams" } as const;

/** A configuration and a region that exist, but without an offer. */
export const notOffered = { configId: "metal-s", regionId: "ams" } as const;

export interface RentalCustomer extends Customer {
  readonly accountId: string;
}

export interface Rental extends TestService {
  /** A new customer with this balance in USD. */
  customer(usd: number): Promise<RentalCustomer>;
  credit(customer: { readonly accountId: string }, cents: number): Promise<void>;
  priceOf(choice: typeof order): Promise<number>;
  assertInvariants(): Promise<void>;
}

export async function startRental(
  engine: Engine,
  options: TestServiceOptions = {},
): Promise<Rental> {
  const service = await startTestService(engine, options);
  await stockUp(service.core);
  const credit: Rental["credit"] = ({ accountId }, cents) => adjust(service.core, accountId, cents);
  return {
    ...service,
    credit,
    customer: async (usd) => {
      const customer = await service.register();
      const accountId = await accountIdOf(service.core.db, customer.username);
      if (usd > 0) await credit({ accountId }, usd * 100);
      return { ...customer, accountId };
    },
    priceOf: async (choice) => {
      const catalogue = await currentCatalogue(service.core.db.read, service.core);
      const price = priceOf(catalogue, choice, service.core.clock.now());
      return price.ok ? price.value.totalCents : assert.fail(price.refusal.code);
    },
    assertInvariants: () => assertInvariants(service.core.db),
  };
}

/** The catalogue, many machines of one offer and three of the other. */
export async function stockUp(core: Core): Promise<void> {
  const saved = await saveCatalogue(core, systemCall, testCatalogue);
  assert.ok(saved.ok);
  const machines = (configId: string, regionId: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      assetTag: `${configId}-${regionId}-${index}`,
      configId,
      regionId,
    }));
  const added = await core.db.write((tx) =>
    addMachines({ tx, core }, [
      ...machines("metal-s", "fra", 120),
      ...machines("metal-l", "ams", 3),
    ]),
  );
  assert.ok(added.ok);
}

export async function adjust(core: Core, accountId: string, cents: number): Promise<void> {
  const cause = `test/${core.ids.next("work")}`;
  const moved = await core.db.write((tx) =>
    move(
      { tx, core },
      {
        type: "ADJUSTMENT",
        accountId,
        cents,
        cause,
        description: "Test money",
        reference: { kind: "adjustment", id: cause },
      },
    ),
  );
  assert.ok(moved.ok);
}

async function accountIdOf(db: Db, username: string): Promise<string> {
  const { id } = await db.read
    .selectFrom("accounts")
    .select("id")
    .where("username", "=", username)
    .executeTakeFirstOrThrow();
  return id;
}

/** Call it at the end of every test that moves money or machines. */
export async function assertInvariants(db: Db): Promise<void> {
  const findings = await verifyInvariants(db);
  assert.deepEqual(
    findings.flatMap(({ number, offenders }) =>
      offenders.map(({ subject, problem }) => `${number}: ${subject}: ${problem}`),
    ),
    [],
  );
}

export function bodyWithoutRequestId(answer: Answer): unknown {
  const body = structuredClone(answer.json) as { error?: { requestId?: string } };
  delete body.error?.requestId;
  return body;
}
