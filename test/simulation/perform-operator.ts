import assert from "node:assert/strict";
import { adjustBalance } from "#server/features/customers/adjust-balance.ts";
import { resumeServer, suspendServer } from "#server/features/customers/suspend-server.ts";
import { releaseWork } from "#server/features/work/release-work.ts";
import type { Core } from "#server/kernel/core.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import type { Db } from "#server/ports/db.ts";
import type { Result } from "#server/ports/result.ts";
import type { WorkKind } from "#server/ports/schema.ts";
import { intentOf } from "#test/use-cases.ts";
import { claimWork, completeWork, failWork, offerQuote } from "#test/work.ts";
import type { Fixture } from "./fixture.ts";
import type { WorkItem, OperationOf } from "./model/operations.ts";
import { wireKey } from "./outcomes.ts";
import type { ServiceProcess } from "./process.ts";
import type { Subject } from "./subject.ts";

const reason = "test";

export function performWorkStep(
  { core, network }: Pick<ServiceProcess, "core" | "network">,
  fixture: Fixture,
  { operator, verb, item, transaction, quoteCents, machineState }: OperationOf<"workStep">,
  { workId, destination }: Subject,
): Promise<Result<unknown>> {
  const call = operatorOf(fixture, operator);
  switch (verb) {
    case "claim":
      return claimWork(core, call, workId);
    case "release":
      return releaseWork(core, call, workId);
    case "quote":
      return offerQuote(core, call, { workId, quoteUsd: (quoteCents ?? 0) / 100 });
    case "complete": {
      const named = quoteCents === undefined ? {} : { quoteUsd: quoteCents / 100 };
      if (item.of !== "withdrawal") return completeWork(core, call, workId, named);
      // The operator pays from a wallet of their own before they name the transaction.
      const transactionId = `paid-${workId}-${transaction}`;
      network.pay(transactionId, { destination, amountUnits: 10n ** 21n });
      return completeWork(core, call, workId, { ...named, transactionId });
    }
    case "fail":
      return failWork(core, call, workId, { reason, machineState });
  }
}

export function performSuspension(
  core: Core,
  { admin }: Fixture,
  { kind }: OperationOf<"suspend" | "resume">,
  serverId: string,
): Promise<Result<unknown>> {
  const use = kind === "suspend" ? suspendServer : resumeServer;
  return use(core, admin, { serverId, reason });
}

export function performAdjustment(
  core: Core,
  fixture: Fixture,
  { operator, cents, key }: OperationOf<"adjust">,
  accountId: string,
): Promise<Result<unknown>> {
  const intent = intentOf("adjustBalance", wireKey(key));
  const adjustment = { accountId, usd: cents / 100, reason };
  return adjustBalance(core, { ...operatorOf(fixture, operator), intent }, adjustment);
}

export function operatorOf({ operators }: Fixture, index: number): OperatorCall {
  return operators[index] ?? assert.fail(`There is no operator ${index}.`);
}

const kinds = {
  provision: "PROVISION",
  ddos: "DDOS",
  reclaim: "RECLAIM",
  withdrawal: "WITHDRAWAL",
  action: "SERVER_ACTION",
} as const satisfies Record<WorkItem["of"], WorkKind>;

/** Finds the server's latest work item of a kind, or the customer's by index. */
export async function findWorkId(
  db: Db,
  { customers }: Fixture,
  item: WorkItem,
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
