import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import type { Updateable } from "kysely";
import { requestAction } from "#server/features/servers/request-action.ts";
import { setDdosMode } from "#server/features/servers/set-ddos-mode.ts";
import { renewDueServers } from "#server/features/renewals/renew-due-servers.ts";
import type { RenewalCounts } from "#server/features/renewals/renewal-counts.ts";
import { setRenewal } from "#server/features/servers/set-renewal.ts";
import type { Client, Core } from "#server/kernel/core.ts";
import type { Ids } from "#server/kernel/ids.ts";
import type { Db, Engine, Tx } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import type { Schema } from "#server/ports/schema.ts";
import { createTestCore, register, type TestCore } from "./core.ts";
import { adjust } from "./rental-service.ts";
import { seedServer, type SeededServer, type ServerSeed } from "./rental.ts";
import { codeOf, intentOf } from "./use-cases.ts";

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export interface RentedServer extends SeededServer {
  readonly accountId: string;
}

/** A fresh database with some servers for each test, because a pass covers everything that is due. */
export class RentedServers {
  #opened: TestCore | undefined;

  static forEachTest(engine: Engine): RentedServers {
    const rented = new RentedServers();
    beforeEach(async () => {
      rented.#opened = await createTestCore(engine);
    });
    afterEach(() => rented.opened.dispose());
    return rented;
  }

  get opened(): TestCore {
    return this.#opened ?? assert.fail("no test is running");
  }

  get core(): Core {
    return this.opened.core;
  }

  get now(): number {
    return this.opened.clock.now();
  }

  advance(ms: number): void {
    this.opened.clock.advance(ms);
  }

  async customer(cents: number): Promise<string> {
    const { accountId } = await register(this.core);
    if (cents > 0) await adjust(this.core, accountId, cents);
    return accountId;
  }

  /** Delivered now, at ten dollars a month by default. */
  async server(accountId: string, seed: ServerSeed = {}): Promise<RentedServer> {
    const seeded = await seedServer(this.core, accountId, { priceCents: 1_000, ...seed });
    return { accountId, ...seeded };
  }

  /** A server of a new customer with this balance. */
  async serverOfNewCustomer(cents: number, seed: ServerSeed = {}): Promise<RentedServer> {
    return this.server(await this.customer(cents), seed);
  }

  /** Changes a server directly. */
  async change(server: RentedServer, columns: Updateable<Schema["servers"]>): Promise<void> {
    await this.core.db.write(async (tx) => {
      await tx.updateTable("servers").set(columns).where("id", "=", server.id).execute();
      return ok();
    });
  }

  /** A pass that must not fail. */
  async pass(): Promise<RenewalCounts> {
    const { counts, failures } = await renewDueServers(this.core);
    assert.deepEqual(failures, []);
    return counts;
  }
}

/** The columns that a renewal reads and changes. */
export async function rentOf({ db }: Core, serverId: string) {
  const row = await db.read
    .selectFrom("servers")
    .select(["state", "paid_through as paidThrough", "grace_until as graceUntil"])
    .where("id", "=", serverId)
    .executeTakeFirstOrThrow();
  return { ...row };
}

export async function stateOf(core: Core, serverId: string): Promise<string> {
  return (await rentOf(core, serverId)).state;
}

/** The renewal charges of one server, oldest first. */
export async function chargesOf({ db }: Core, serverId: string) {
  const rows = await db.read
    .selectFrom("journal")
    .select(["cause", "amount_cents as cents", "description", "account_id as accountId"])
    .where("type", "=", "RENEWAL_CHARGE")
    .where("reference_id", "=", serverId)
    .orderBy("sequence")
    .execute();
  return rows.map((row) => ({ ...row }));
}

/** The audited actions of the service itself on a server, oldest first. */
export async function systemActionsOn({ db }: Core, serverId: string): Promise<readonly string[]> {
  const rows = await db.read
    .selectFrom("audit")
    .select("action")
    .where("actor", "=", "system")
    .where("ip_address", "=", "")
    .where("subject", "=", serverId)
    .orderBy("id")
    .execute();
  return rows.map(({ action }) => action);
}

/** Sends every kind of customer request about a server at once, and returns the codes. */
export function sendAllRequests(
  core: Core,
  client: Client,
  { accountId, id }: RentedServer,
): Promise<readonly string[]> {
  const action = intentOf("requestAction");
  return Promise.all([
    codeOf(setRenewal(core, { accountId, client }, { serverId: id, autoRenew: false })),
    codeOf(
      requestAction(
        core,
        { accountId, client, intent: action },
        { serverId: id, action: "reboot" },
      ),
    ),
    codeOf(
      setDdosMode(
        core,
        { accountId, client, intent: intentOf("setDdosMode") },
        { serverId: id, mode: "ADVANCED" },
      ),
    ),
  ]);
}

/** Throws at the given id. Every write creates ids, so this simulates a crash within a transaction. */
export function crashingIds(ids: Ids, failAt: number): Ids {
  let created = 0;
  return {
    ...ids,
    next: (kind) => {
      created += 1;
      if (created >= failAt) throw new Error("the process died");
      return ids.next(kind);
    },
  };
}

/** Throws at the given prepared statement and all later ones, as if the process had died between two statements. */
export function crashingStatements(db: Db, failAt: number): Db {
  let sent = 0;
  const failing = (tx: Tx): Tx =>
    new Proxy(tx, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...parameters: unknown[]): unknown => {
          if (name === "executeQuery" && (sent += 1) >= failAt) throw new Error("the process died");
          return Reflect.apply(value, target, parameters);
        };
      },
    });
  const write: Db["write"] = (work, ...options) => db.write((tx) => work(failing(tx)), ...options);
  return new Proxy(db, {
    get: (target, name) => {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
