import assert from "node:assert/strict";
import { createSimulatedRates } from "../../packages/server/src/adapters/settlement-simulated/simulated-rates.ts";
import {
  createSimulatedSettlement,
  type SimulatedSettlement,
} from "../../packages/server/src/adapters/settlement-simulated/simulated-settlement.ts";
import { systemRandom } from "../../packages/server/src/adapters/system/random.ts";
import { requestAction } from "../../packages/server/src/features/actions/request-action.ts";
import { saveCatalogue } from "../../packages/server/src/features/catalogue/save-catalogue.ts";
import { setDdosMode } from "../../packages/server/src/features/ddos/set-ddos-mode.ts";
import { createDepositAddress } from "../../packages/server/src/features/deposits/create-deposit-address.ts";
import { watchSettlement } from "../../packages/server/src/features/deposits/watch-settlement.ts";
import { placeOrder } from "../../packages/server/src/features/orders/place-order.ts";
import { setRenewal } from "../../packages/server/src/features/servers/set-renewal.ts";
import { requestWithdrawal } from "../../packages/server/src/features/withdrawals/request-withdrawal.ts";
import type { Core } from "../../packages/server/src/kernel/core.ts";
import { addMachines } from "../../packages/server/src/kernel/machine-intake.ts";
import { addSubnet } from "../../packages/server/src/kernel/subnets.ts";
import type { Engine } from "../../packages/server/src/ports/db.ts";
import { createTestCore, register, testClient, type TestCore } from "../support/core.ts";
import type { Operation, OperationOf } from "./operations.ts";
import { Death, deskOutcome, dyingIds, outcomeOf } from "./outcomes.ts";
import { hourMs, restartMs, twoOperatorsFromCents, unitCents } from "./state.ts";
import { WorldDesk, type WorldCustomer } from "./world-desk.ts";

const destination = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";

/** The real service below HTTP, with one offer of its own for each run. */
export class World {
  core: Core;
  readonly #testCore: TestCore;
  #run = 0;
  #configId = "";
  accounts: WorldCustomer[] = [];
  readonly #desk: WorldDesk;

  constructor(testCore: TestCore, desk: WorldDesk) {
    this.#testCore = testCore;
    this.core = testCore.core;
    this.#desk = desk;
  }

  static async open(engine: Engine): Promise<World> {
    const testCore = await createTestCore(engine, {
      settlement: (db) => createSimulatedSettlement(db, systemRandom),
      rates: (clock) => createSimulatedRates(clock),
      rules: { twoOperatorsFromCents },
    });
    const world = new World(testCore, await WorldDesk.open(testCore.core));
    for (const cidr of ["10.0.0.0/12", "2001:db8::/40"]) {
      const { core } = world;
      const added = await core.db.write((tx) => addSubnet(tx, core, { regionId: "model", cidr }));
      assert.ok(added.ok);
    }
    return world;
  }

  close(): Promise<void> {
    return this.#testCore.dispose();
  }

  /** New customers and a new offer with so many machines: runs have nothing to do with one another. */
  async begin(accounts: number, free: number): Promise<void> {
    const { core } = this;
    this.#run += 1;
    this.#configId = `model-${this.#run}`;
    const label = "model";
    const offer = { regionId: "model", weeklyUsd: 1, monthlyUsd: unitCents / 100 };
    const saved = await saveCatalogue(
      core,
      { actor: "test", ipAddress: "" },
      {
        regions: [{ id: "model", name: label, country: label }],
        operatingSystems: [{ id: "model", name: label, family: label }],
        configurations: [
          {
            id: this.#configId,
            name: label,
            cpu: label,
            memoryGb: 1,
            storage: label,
            bandwidth: label,
            offers: [offer],
          },
        ],
        discounts: [
          { minQuantity: 3, percent: 5 },
          { minQuantity: 5, percent: 12.5 },
        ],
      },
    );
    assert.ok(saved.ok);
    const machines = Array.from({ length: free }, (_, index) => ({
      assetTag: `${this.#configId}-${index}`,
      configId: this.#configId,
      regionId: "model",
    }));
    assert.ok((await core.db.write((tx) => addMachines(tx, core, machines))).ok);
    this.accounts = [];
    for (let index = 0; index < accounts; index += 1) {
      const { accountId } = await register(core);
      const intent = {
        operation: "createDepositAddress",
        key: "model-address",
        idempotency: "replay",
      } as const;
      const created = await createDepositAddress(core, testClient, accountId, intent, {
        asset: "USDT",
      });
      assert.ok(created.ok);
      this.accounts.push({ accountId, address: created.value.body.address, serverIds: [] });
    }
  }

  /** Does the operation for real; `failAt` makes the process die at that identifier. */
  async apply(operation: Operation, failAt?: number): Promise<string> {
    if (operation.kind === "restart") {
      const before = this.core;
      this.#testCore.clock.advance(restartMs);
      this.core = await this.#testCore.reopen();
      if (before !== this.#testCore.core) await before.db.close();
      return "ok";
    }
    if (failAt === undefined) return this.#perform(this.core, operation);
    const core = { ...this.core, ids: dyingIds(this.core.ids, failAt) };
    try {
      return await this.#perform(core, operation);
    } catch (error) {
      if (error instanceof Death) return "died";
      throw error;
    }
  }

  async #perform(core: Core, operation: Exclude<Operation, { kind: "restart" }>): Promise<string> {
    if (operation.kind === "wait") {
      this.#testCore.clock.advance(operation.hours * hourMs);
      return "ok";
    }
    if (operation.kind === "renew") return this.#desk.renew(core);
    if (operation.kind === "desk") {
      return this.#desk.step(core, operation, this.#customer(operation.item));
    }
    return this.#performFor(core, operation);
  }

  #customer({ account }: { readonly account: number }): WorldCustomer {
    return this.accounts[account] ?? assert.fail(`there is no account ${account}`);
  }

  async #performFor(
    core: Core,
    operation: Exclude<Operation, { kind: "restart" | "wait" | "renew" | "desk" }>,
  ): Promise<string> {
    const customer = this.#customer(operation);
    const { accountId } = customer;
    const intent = (name: string, idempotency: "replay" | "conflict", key: number) => ({
      operation: name,
      key: `model-key-${key}`,
      idempotency,
    });
    const serverId =
      "server" in operation ? (customer.serverIds[operation.server] ?? "srv_none") : "";
    switch (operation.kind) {
      case "pay":
        return this.#pay(core, operation, customer.address);
      case "order": {
        const { quantity } = operation;
        const choice = {
          configId: this.#configId,
          regionId: "model",
          osId: "model",
          term: "monthly",
          quantity,
        } as const;
        const result = await placeOrder(
          core,
          testClient,
          accountId,
          intent("placeOrder", "replay", operation.key),
          choice,
        );
        if (result.ok && !result.value.replayed)
          customer.serverIds.push(...result.value.body.serverIds);
        return outcomeOf(result);
      }
      case "withdraw": {
        const request = { asset: "ETH", destination, usd: operation.cents / 100 } as const;
        const key = intent("requestWithdrawal", "conflict", operation.key);
        return outcomeOf(await requestWithdrawal(core, testClient, accountId, key, request));
      }
      case "act": {
        const key = intent("requestAction", "replay", operation.key);
        const { action } = operation;
        return outcomeOf(
          await requestAction(core, testClient, accountId, key, serverId, { action }),
        );
      }
      case "ddos": {
        const key = intent("setDdosMode", "replay", operation.key);
        const { mode } = operation;
        return outcomeOf(await setDdosMode(core, testClient, accountId, key, serverId, { mode }));
      }
      case "renewal": {
        const { autoRenew } = operation;
        return deskOutcome(await setRenewal(core, testClient, accountId, serverId, { autoRenew }));
      }
      case "suspend":
      case "resume":
        return this.#desk.suspend(core, operation.kind, serverId);
      case "adjust":
        return this.#desk.adjust(core, operation, accountId, this.#run);
    }
  }

  async freeMachines(): Promise<number> {
    const stock = await this.core.db.read
      .selectFrom("stock")
      .select("free")
      .where("config_id", "=", this.#configId)
      .executeTakeFirstOrThrow();
    return stock.free;
  }

  async #pay(core: Core, operation: OperationOf<"pay">, address: string): Promise<string> {
    const { payments } = core.settlement as SimulatedSettlement;
    const amount = (operation.cents / 100).toFixed(2);
    const transactionId = `${address}-${operation.payment}`;
    const { confirmations } = operation;
    const paid = await payments.simulatePayment({ address, amount, transactionId, confirmations });
    assert.ok(paid.ok, JSON.stringify(paid));
    await watchSettlement(core);
    return "ok";
  }
}
