import assert from "node:assert/strict";
import { adjustBalance } from "../../packages/server/src/features/customers/adjust-balance.ts";
import {
  resumeServer,
  suspendServer,
} from "../../packages/server/src/features/customers/suspend-server.ts";
import { claimWork } from "../../packages/server/src/features/desk/claim-work.ts";
import { completeWork } from "../../packages/server/src/features/desk/complete-work.ts";
import { failWork } from "../../packages/server/src/features/desk/fail-work.ts";
import { releaseWork } from "../../packages/server/src/features/desk/release-work.ts";
import { renewDueServers } from "../../packages/server/src/features/renewals/renew-due-servers.ts";
import type { Core } from "../../packages/server/src/kernel/core.ts";
import type { OperatorCall } from "../../packages/server/src/kernel/operator.ts";
import type { WorkKind } from "../../packages/server/src/ports/schema.ts";
import { operatorCall } from "../support/operators.ts";
import { operatorRoles, type Item, type OperationOf } from "./operations.ts";
import { Death, deskOutcome, outcomeOf } from "./outcomes.ts";

export interface WorldCustomer {
  readonly accountId: string;
  readonly address: string;
  readonly serverIds: string[];
}

const kinds = {
  ...{ provision: "PROVISION", ddos: "DDOS", reclaim: "RECLAIM" },
  ...{ withdrawal: "WITHDRAWAL", action: "SERVER_ACTION" },
} as const satisfies Record<Item["of"], WorkKind>;

/** The operators of the world, and what they and time do to it. */
export class WorldDesk {
  readonly #operators: readonly OperatorCall[];
  readonly #admin: OperatorCall;

  constructor(operators: readonly OperatorCall[], admin: OperatorCall) {
    this.#operators = operators;
    this.#admin = admin;
  }

  static async open(core: Core): Promise<WorldDesk> {
    const operators = await Promise.all(operatorRoles.map((role) => operatorCall(core, role)));
    return new WorldDesk(operators, await operatorCall(core, "admin"));
  }

  async step(
    core: Core,
    { operator, verb, item }: OperationOf<"desk">,
    customer: WorldCustomer,
  ): Promise<string> {
    const workId = await findWork(core, item, customer);
    if (workId === undefined) return "none";
    const call = this.#operator(operator);
    switch (verb) {
      case "claim":
        return deskOutcome(await claimWork(core, call, workId));
      case "release":
        return deskOutcome(await releaseWork(core, call, workId));
      case "complete": {
        const input = item.of === "withdrawal" ? { transactionId: `paid-${workId}` } : {};
        return deskOutcome(await completeWork(core, call, workId, input));
      }
      case "fail":
        return deskOutcome(await failWork(core, call, workId, { reason: "test" }));
    }
  }

  async suspend(core: Core, kind: "suspend" | "resume", serverId: string): Promise<string> {
    const use = kind === "suspend" ? suspendServer : resumeServer;
    return deskOutcome(await use(core, this.#admin, serverId, { reason: "test" }));
  }

  async adjust(
    core: Core,
    { operator, cents, key }: OperationOf<"adjust">,
    accountId: string,
    run: number,
  ): Promise<string> {
    const intent = {
      operation: "adjustBalance",
      idempotency: "replay",
      key: `run-${run}-key-${key}`,
    } as const;
    const wish = { usd: cents / 100, reason: "test" };
    return outcomeOf(await adjustBalance(core, this.#operator(operator), intent, accountId, wish));
  }

  /** The process dies where the pass says that it failed. */
  async renew(core: Core): Promise<string> {
    const { failures } = await renewDueServers(core);
    if (failures.some(isDeath)) throw new Death();
    assert.deepEqual(failures, []);
    return "ok";
  }

  #operator(index: number): OperatorCall {
    return this.#operators[index] ?? assert.fail(`there is no operator ${index}`);
  }
}

function isDeath(failure: unknown): boolean {
  return failure instanceof Death || (failure instanceof Error && failure.cause instanceof Death);
}

/** The item of that kind: the server's latest, or the customer's so many-th. */
async function findWork(
  { db }: Core,
  item: Item,
  { accountId, serverIds }: WorldCustomer,
): Promise<string | undefined> {
  const ofKind = db.read
    .selectFrom("work")
    .select("id")
    .where("account_id", "=", accountId)
    .where("kind", "=", kinds[item.of]);
  if (!("server" in item)) {
    const rows = await ofKind.orderBy("id").execute();
    return rows[item.index]?.id;
  }
  const ofServer = ofKind.where("server_id", "=", serverIds[item.server] ?? "");
  return (await ofServer.orderBy("id", "desc").executeTakeFirst())?.id;
}
