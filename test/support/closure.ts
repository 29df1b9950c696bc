import assert from "node:assert/strict";
import { sql } from "kysely";
import { ok } from "#server/kernel/result.ts";
import type { Db } from "#server/ports/db.ts";
import { write, type ConsoleService } from "./console-service.ts";
import { endServer } from "./rental.ts";
import { adjust } from "./rental-service.ts";
import type { Customer } from "./service.ts";

/** Ends the account's servers, rejects its withdrawals, confirms its deposits and takes its balance. */
export async function emptyAccount(
  service: ConsoleService,
  customer: Customer,
  accountId: string,
): Promise<void> {
  const { core } = service;
  const support = await service.operator("admin");
  const failAll = async (kind: string, fields: object) => {
    const { work } = (await support.send("GET", `/operator/v1/work?kind=${kind}&state=OPEN`)).json;
    for (const item of work.filter((each: { accountId: string }) => each.accountId === accountId)) {
      await support.send("POST", `/operator/v1/work/${item.id}/claim`);
      const body = { reason: "a test", ...fields };
      const failed = await support.send("POST", `/operator/v1/work/${item.id}/fail`, { body });
      assert.equal(failed.status, 200, failed.text);
    }
  };
  await failAll("WITHDRAWAL", {});
  await failAll("PROVISION", { machineState: "FREE" });
  const current = (await customer.send("GET", "/api/v1/servers")).json.servers;
  for (const { id } of current) {
    await write(customer, "PUT", `/api/v1/servers/${id}/ddos`, { mode: "BASELINE" });
  }
  const servers = await core.db.read
    .selectFrom("servers")
    .select(["id", "machine_id as machineId", "order_id as orderId"])
    .where("account_id", "=", accountId)
    .where("state", "<>", "TERMINATED")
    .execute();
  for (const server of servers) {
    await endServer(core, accountId, { ...server, assignmentIds: [] });
  }
  const { deposits } = (await customer.send("GET", "/api/v1/deposits")).json;
  for (const { state, address, amount, transactionId } of deposits) {
    if (state === "CREDITED") continue;
    await service.pay(address, amount, { transactionId, confirmations: 100 });
  }
  const { balanceUsd } = (await customer.send("GET", "/api/v1/ledger")).json;
  await adjust(core, accountId, -Math.round(balanceUsd * 100));
}

/** Runs a statement in a transaction of its own. */
export async function runSql(db: Db, statement: string): Promise<void> {
  await db.write(async (tx) => {
    await sql.raw(statement).execute(tx);
    return ok();
  });
}
