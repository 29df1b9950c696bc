import assert from "node:assert/strict";
import { adjustBalance } from "#server/features/customers/adjust-balance.ts";
import { resumeServer, suspendServer } from "#server/features/customers/suspend-server.ts";
import { claimWork } from "#server/features/work/claim-work.ts";
import { releaseWork } from "#server/features/work/release-work.ts";
import type { Core } from "#server/kernel/core.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import type { Db } from "#server/ports/db.ts";
import type { Result } from "#server/ports/result.ts";
import type { WorkKind } from "#server/ports/schema.ts";
import { intentOf } from "#test/use-cases.ts";
import { completeWork, failWork } from "#test/work.ts";
import type { Cast } from "./cast-members.ts";
import type { Item, OperationOf } from "./model/operations.ts";
import { wireKey } from "./outcomes.ts";

const reason = "test";

export function performStep(
  core: Core,
  cast: Cast,
  { operator, verb, item, transaction, machineState }: OperationOf<"desk">,
  workId: string,
): Promise<Result<unknown>> {
  const call = operatorOf(cast, operator);
  switch (verb) {
    case "claim":
      return claimWork(core, call, workId);
    case "release":
      return releaseWork(core, call, workId);
    case "complete": {
      const transactionId = `paid-${workId}-${transaction}`;
      const input = item.of === "withdrawal" ? { transactionId } : {};
      return completeWork(core, call, workId, input);
    }
    case "fail":
      return failWork(core, call, workId, { reason, machineState });
  }
}

export function performSuspension(
  core: Core,
  { admin }: Cast,
  { kind }: OperationOf<"suspend" | "resume">,
  serverId: string,
): Promise<Result<unknown>> {
  const use = kind === "suspend" ? suspendServer : resumeServer;
  return use(core, admin, { serverId, reason });
}

export function performAdjustment(
  core: Core,
  cast: Cast,
  { operator, cents, key }: OperationOf<"adjust">,
  accountId: string,
): Promise<Result<unknown>> {
  const intent = intentOf("adjustBalance", wireKey(key));
  const wish = { usd: cents / 100, reason };
  return adjustBalance(core, { ...operatorOf(cast, operator), intent }, { accountId, ...wish });
}

function operatorOf({ operators }: Cast, index: number): OperatorCall {
  return operators[index] ?? assert.fail(`there is no operator ${index}`);
}

const kinds = {
  ...{ provision: "PROVISION", ddos: "DDOS", reclaim: "RECLAIM" },
  ...{ withdrawal: "WITHDRAWAL", action: "SERVER_ACTION" },
} as const satisfies Record<Item["of"], WorkKind>;

/** The item of that kind: the server's latest, or the customer's so many-th. */
export async function findWorkId(
  db: Db,
  { customers }: Cast,
  item: Item,
  serverIds: readonly (readonly string[])[],
): Promise<string | undefined> {
  const ofKind = db.read
    .selectFrom("work")
    .select("id")
    .where("account_id", "=", customers[item.account]?.accountId ?? "")
    .where("kind", "=", kinds[item.of]);
  if (!("server" in item)) {
    const rows = await ofKind.orderBy("id").execute();
    return rows[item.index]?.id;
  }
  const ofServer = ofKind.where("server_id", "=", serverIds[item.account]?.[item.server] ?? "");
  return (await ofServer.orderBy("id", "desc").executeTakeFirst())?.id;
}
