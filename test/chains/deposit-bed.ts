import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { watchSettlement } from "#server/features/deposits/watch-settlement.ts";
import type { Core } from "#server/kernel/core.ts";
import { ok } from "#server/kernel/result.ts";
import type { Engine } from "#server/ports/db.ts";
import type { Chain } from "#server/ports/settlement.ts";
import { register } from "#test/bare-core.ts";
import { addressFor, balanceOf, requestAddress } from "#test/deposits.ts";
import { openEngine } from "#test/engines.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { codeOf, freshKey } from "#test/use-cases.ts";
import type { ChainConnection, ChainKind, TestNetwork } from "./chain-kind.ts";
import { createInstance } from "./instance.ts";

/** Few, so that tests are fast. */
export const confirmationsNeeded = 2;

/** The tests of a process share networks and keys, so each has derivation indexes of its own. */
const indexesPerBed = 10;
let beds = 0;

/** The service on a database of its own, with a real node. */
export interface DepositBed {
  readonly kind: ChainKind;
  readonly engine: Engine;
  readonly network: TestNetwork;
  readonly connection: ChainConnection;
  readonly chain: Chain;
  readonly core: Core;
  /** The database's path or URL, for another process. */
  readonly location: string;
  advanceClock(ms: number): void;
  /** Another instance, with its own connections and adapter. */
  startInstance(): Promise<Core>;
  customer(): Promise<BedCustomer>;
  /** A pass without failures. */
  pass(core?: Core): Promise<{ seen: number; credited: number; gone: number }>;
  /** The pass must fail with errors of these names. */
  failingPass(...names: readonly string[]): Promise<void>;
  /** The code of the refusal, or "ok". */
  requestAddress(accountId: string, key?: string): Promise<string>;
}

export interface BedCustomer {
  readonly accountId: string;
  readonly address: string;
}

/** Ends with the test, after a check of all invariants. */
export async function openBed(
  t: TestContext,
  kind: ChainKind,
  engine: Engine,
  network?: TestNetwork,
): Promise<DepositBed> {
  const used = network ?? (await kind.shared());
  const opened = await openEngine(engine);
  t.after(async () => {
    try {
      await assertInvariantsHold(opened.db);
    } finally {
      await opened.dispose();
    }
  });
  let now = Date.UTC(2026, 10, 15, 9, 30);
  const clock = { now: () => now };
  const connection = await used.connect(confirmationsNeeded);
  const chain = kind.open(connection);
  const core = createInstance(opened.db, clock, chain);
  await startIndexesAt(core, chain, beds * indexesPerBed);
  beds += 1;

  const pass: DepositBed["pass"] = async (instance = core) => {
    const { failures, ...counts } = await watchSettlement(instance);
    assert.deepEqual(failures, []);
    return counts;
  };
  // No address is issued before the first scan.
  await pass();
  return {
    kind,
    engine,
    network: used,
    connection,
    chain,
    core,
    location: opened.location,
    advanceClock: (ms) => (now += ms),
    startInstance: async () => createInstance(await opened.reopen(), clock, kind.open(connection)),
    customer: async () => {
      const { accountId } = await register(core);
      return { accountId, address: await addressFor(core, accountId, kind.asset) };
    },
    pass,
    failingPass: async (...names) => {
      const { failures, ...counts } = await watchSettlement(core);
      assert.deepEqual(
        failures.map((error) => (error as Error).name),
        names,
      );
      assert.deepEqual(counts, { seen: 0, credited: 0, gone: 0 });
    },
    requestAddress: (accountId, key = freshKey()) =>
      codeOf(requestAddress(core, accountId, key, kind.asset)),
  };
}

async function startIndexesAt(core: Core, chain: Chain, index: number): Promise<void> {
  await core.db.write(async (tx) => {
    await tx
      .insertInto("keychains")
      .values({
        id: core.ids.next("keychain"),
        network: chain.network,
        public_key: chain.publicKey,
        next_index: index,
        created_at: core.clock.now(),
      })
      .execute();
    return ok();
  });
}

/** All deposits of an account, oldest first. */
export function depositsOf(core: Core, accountId: string) {
  return core.db.read
    .selectFrom("deposits")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("id")
    .execute();
}

/** Each deposit as `CONFIRMING 1/2`, oldest first. */
export async function progressOf(core: Core, accountId: string): Promise<readonly string[]> {
  const rows = await depositsOf(core, accountId);
  return rows.map(
    ({ state, confirmations, confirmations_required: required }) =>
      `${state} ${confirmations}/${required}`,
  );
}

/** The ledger entries of an account in cents, which must add up to its balance. */
export async function creditsOf(core: Core, accountId: string): Promise<readonly number[]> {
  const entries = await core.db.read
    .selectFrom("journal")
    .select("change_cents as cents")
    .where("account_id", "=", accountId)
    .orderBy("id")
    .execute();
  const credits = entries.map(({ cents }) => cents);
  assert.equal(
    credits.reduce((sum, cents) => sum + cents, 0),
    await balanceOf(core, accountId),
  );
  return credits;
}
