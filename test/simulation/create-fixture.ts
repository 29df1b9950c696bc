import type { OperationId } from "@ironlease/contract";
import { registerAccount } from "#server/features/accounts/register-account.ts";
import { saveCatalogue } from "#server/features/catalogue/save-catalogue.ts";
import { adjustBalance } from "#server/features/customers/adjust-balance.ts";
import { createDepositAddress } from "#server/features/deposits/create-deposit-address.ts";
import { authenticateSession } from "#server/features/sessions/authenticate-session.ts";
import type { Core } from "#server/kernel/core.ts";
import { addMachines } from "#server/kernel/machine-intake.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import { addSubnet } from "#server/kernel/subnets.ts";
import type { Db } from "#server/ports/db.ts";
import { testClient } from "#test/bare-core.ts";
import { operatorCall } from "#test/operators.ts";
import { subscribe } from "#test/outbox.ts";
import { PayoutNetwork } from "#test/payout-network.ts";
import { intentOf, valueOf } from "#test/use-cases.ts";
import { catalogueWith } from "./catalogue.ts";
import { fixtureKeyPrefix, offer, type Fixture, type FixtureCustomer } from "./fixture.ts";
import { SeededRandom } from "./seeded-random.ts";
import { operatorRoles, setupOperations } from "./model/operations.ts";
import { passwordText } from "./model/access-state.ts";
import { sentBy, setAccess } from "./model/model-access.ts";
import { startTime, freeMachines, initialBalances, newModel } from "./model/state.ts";
import { serverIdsOf } from "./outcomes.ts";
import { perform } from "./perform.ts";
import { noSubject } from "./subject.ts";
import { findWorkId } from "./perform-operator.ts";
import { coreOver } from "./process.ts";
import { systemCall } from "#server/kernel/call.ts";

/** Creates the same rows and ids every time, because it has its own seed. */
export async function createFixture(db: Db): Promise<Fixture> {
  const core = coreOver(db, { now: () => startTime }, new SeededRandom(0, "cast"));
  await stock(core);
  const operators: OperatorCall[] = [];
  for (const role of operatorRoles) operators.push(await operatorCall(core, role));
  const customers: FixtureCustomer[] = [];
  const admin = await operatorCall(core, "admin");
  for (const [index, cents] of initialBalances.entries()) {
    const username = `model-${index}`;
    const registration = { username, password: passwordText(0) };
    const { recoveryCode, sessionToken } = await valueOf(
      registerAccount(core, testClient, registration),
    );
    const session = await authenticateSession(core, sessionToken);
    if (session === undefined) throw new Error("The customer is not signed in.");
    const { accountId, sessionId } = session;
    await subscribe(core, accountId);
    const keyed = (operation: OperationId) => intentOf(operation, `${fixtureKeyPrefix}-${index}`);
    const { body } = await valueOf(
      createDepositAddress(
        core,
        { accountId, client: testClient, intent: keyed("createDepositAddress") },
        {
          asset: "USDT",
        },
      ),
    );
    const { address } = body;
    customers.push({ accountId, username, address, recoveryCode, sessionId, serverIds: [] });
    if (cents === 0) continue;
    const adjustment = { accountId, usd: cents / 100, reason: "Initial balance" };
    await valueOf(adjustBalance(core, { ...admin, intent: keyed("adjustBalance") }, adjustment));
  }
  return performSetup(core, { customers, operators, admin });
}

async function performSetup(core: Core, fixture: Fixture): Promise<Fixture> {
  const serverIds: readonly string[][] = fixture.customers.map(() => []);
  const model = newModel();
  for (const [index, customer] of fixture.customers.entries()) {
    setAccess(model, index, customer);
  }
  for (const operation of setupOperations) {
    const workId =
      operation.kind === "workStep"
        ? await findWorkId(core.db, fixture, operation.item, serverIds)
        : undefined;
    const serverId =
      "server" in operation ? serverIds[operation.account]?.[operation.server] : undefined;
    const subject = {
      ...noSubject,
      ...(workId !== undefined && { workId }),
      ...(serverId !== undefined && { serverId }),
      sent: sentBy(model, operation),
    };
    const network = new PayoutNetwork();
    const performResult = await perform({ core, network }, fixture, operation, subject);
    if (!("result" in performResult) || !performResult.result.ok)
      throw new Error(`The setup operation ${operation.kind} failed.`);
    if (operation.kind !== "order") continue;
    serverIds[operation.account]?.push(...serverIdsOf(performResult.result));
  }
  const customers = fixture.customers.map((customer, index) => ({
    ...customer,
    serverIds: serverIds[index] ?? [],
  }));
  return { ...fixture, customers };
}

async function stock(core: Core): Promise<void> {
  await valueOf(saveCatalogue(core, systemCall, catalogueWith({ hidden: false })));
  const { configId, regionId } = offer;
  const machines = Array.from({ length: freeMachines }, (_, index) => ({
    assetTag: `model-${index}`,
    configId,
    regionId,
  }));
  await valueOf(core.db.write((tx) => addMachines({ tx, core }, machines)));
  for (const cidr of ["10.0.0.0/24", "2001:db8::/40"]) {
    await valueOf(core.db.write((tx) => addSubnet({ tx, core }, { regionId, cidr })));
  }
}
