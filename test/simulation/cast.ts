import type { OperationId } from "@ironlease/contract";
import { saveCatalogue } from "#server/features/catalogue/save-catalogue.ts";
import { adjustBalance } from "#server/features/customers/adjust-balance.ts";
import { createDepositAddress } from "#server/features/deposits/create-deposit-address.ts";
import type { Core } from "#server/kernel/core.ts";
import { addMachines } from "#server/kernel/machine-intake.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import { addSubnet } from "#server/kernel/subnets.ts";
import type { Db } from "#server/ports/db.ts";
import { register, testClient } from "#test/bare-core.ts";
import { operatorCall } from "#test/operators.ts";
import { intentOf, valueOf } from "#test/use-cases.ts";
import { castKey, offer, type Cast, type CastCustomer } from "./cast-members.ts";
import { Chance } from "./chance.ts";
import { operatorRoles, prologue } from "./model/operations.ts";
import { firstMoment, freeMachines, startCents, unitCents } from "./model/state.ts";
import { serverIdsOf } from "./outcomes.ts";
import { perform } from "./perform.ts";
import { findWorkId } from "./perform-desk.ts";
import { coreOver } from "./process.ts";
import { systemCall } from "#server/kernel/call.ts";

/** The same rows every time, ids included: chance has a seed of its own here. */
export async function prepareCast(db: Db): Promise<Cast> {
  const core = coreOver(db, { now: () => firstMoment }, new Chance(0, "cast"));
  await stock(core);
  const operators: OperatorCall[] = [];
  for (const role of operatorRoles) operators.push(await operatorCall(core, role));
  const customers: CastCustomer[] = [];
  const admin = await operatorCall(core, "admin");
  for (const [index, cents] of startCents.entries()) {
    const username = `model-${index}`;
    const { accountId } = await register(core, username);
    const keyed = (operation: OperationId) => intentOf(operation, `${castKey}-${index}`);
    const { body } = await valueOf(
      createDepositAddress(
        core,
        { accountId, client: testClient, intent: keyed("createDepositAddress") },
        {
          asset: "USDT",
        },
      ),
    );
    customers.push({ accountId, username, address: body.address, serverIds: [] });
    if (cents === 0) continue;
    const gift = { usd: cents / 100, reason: "A start" };
    await valueOf(
      adjustBalance(core, { ...admin, intent: keyed("adjustBalance") }, { accountId, ...gift }),
    );
  }
  return playPrologue(core, { customers, operators, admin });
}

async function playPrologue(core: Core, cast: Cast): Promise<Cast> {
  const serverIds: readonly string[][] = cast.customers.map(() => []);
  for (const operation of prologue) {
    const workId =
      operation.kind === "desk"
        ? await findWorkId(core.db, cast, operation.item, serverIds)
        : undefined;
    const ending = await perform(core, cast, operation, { serverId: "", workId: workId ?? "" });
    if (!("result" in ending) || !ending.result.ok) throw new Error("the prologue went wrong");
    if (operation.kind !== "order") continue;
    serverIds[operation.account]?.push(...serverIdsOf(ending.result));
  }
  const customers = cast.customers.map((customer, index) => ({
    ...customer,
    serverIds: serverIds[index] ?? [],
  }));
  return { ...cast, customers };
}

async function stock(core: Core): Promise<void> {
  const label = "model";
  const about = { name: label, cpu: label, memoryGb: 1, storage: label, bandwidth: label };
  const price = { weeklyUsd: 1, monthlyUsd: unitCents / 100 };
  const catalogue = {
    regions: [{ id: offer.regionId, name: label, country: label }],
    operatingSystems: [{ id: offer.osId, name: label, family: label }],
    configurations: [
      { id: offer.configId, ...about, offers: [{ regionId: offer.regionId, ...price }] },
    ],
    discounts: [
      { minQuantity: 3, percent: 5 },
      { minQuantity: 5, percent: 12.5 },
    ],
  };
  await valueOf(saveCatalogue(core, systemCall, catalogue));
  const { configId, regionId } = offer;
  const machines = Array.from({ length: freeMachines }, (_, index) => ({
    ...{ assetTag: `model-${index}`, configId, regionId },
  }));
  await valueOf(core.db.write((tx) => addMachines({ tx, core }, machines)));
  for (const cidr of ["10.0.0.0/24", "2001:db8::/40"]) {
    await valueOf(core.db.write((tx) => addSubnet({ tx, core }, { regionId, cidr })));
  }
}
