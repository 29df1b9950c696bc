import assert from "node:assert/strict";
import fc from "fast-check";
import { sql } from "kysely";
import { assertInvariants } from "../support/rental-service.ts";
import { apply, newModel, type Model, type Operation } from "./model.ts";
import type { World } from "./world.ts";

const accounts = 3;
const free = 12;

/** Few accounts, servers and keys, so that operations get in one another's way. */
const account = fc.nat({ max: accounts - 1 });
const key = fc.nat({ max: 14 });
const server = fc.nat({ max: 9 });

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("pay" as const),
      account,
      cents: fc.constant(5_000),
      payment: fc.nat({ max: 20 }),
      confirmations: fc.constantFrom(0, 3, 11, 12, 12, 12, 40),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("order" as const),
      account,
      quantity: fc.constantFrom(1, 1, 1, 2, 3, 5),
      key,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("withdraw" as const),
      account,
      cents: fc.constantFrom(100, 2_500, 9_999),
      key,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("act" as const),
      account,
      server,
      action: fc.constantFrom("reboot" as const, "kvm" as const),
      key,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("ddos" as const),
      account,
      server,
      mode: fc.constantFrom("BASELINE" as const, "ADVANCED" as const),
      key,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("provision" as const), account, server }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("abandon" as const), account, server }) },
);
const restart: fc.Arbitrary<Operation> = fc.constant({ kind: "restart" });

/** An operation, and whether the process dies in the middle of it the first time. */
const step = fc.record({
  operation: fc.oneof({ weight: 100, arbitrary: operation }, { weight: 1, arbitrary: restart }),
  failAt: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 6 }) },
  ),
});

export interface RunOptions {
  readonly seed: number;
  readonly runs: number;
  readonly stepsPerRun: number;
  /** Looks for the shortest sequence that fails, which takes many more runs. */
  readonly shrinks?: boolean;
}

/** Drives the world and the model with the same operations; gives how many there were. */
export async function runModel(world: World, options: RunOptions): Promise<number> {
  let operations = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: options.stepsPerRun, maxLength: options.stepsPerRun }),
      async (steps) => {
        const model = newModel(accounts, free);
        await world.begin(accounts, free);
        for (const { operation: next, failAt } of steps) {
          operations += 1;
          // Whoever dies leaves nothing behind, so what follows is as if nothing had been asked.
          if (failAt !== undefined && next.kind !== "pay") {
            const outcome = await world.apply(next, failAt);
            if (outcome === "died") continue;
            assert.equal(outcome, apply(model, next), JSON.stringify(next));
            continue;
          }
          assert.equal(await world.apply(next), apply(model, next), JSON.stringify(next));
        }
        await assertSame(world, model);
        await assertInvariants(world.core.db);
      },
    ),
    { seed: options.seed, numRuns: options.runs, endOnFailure: options.shrinks !== true },
  );
  return operations;
}

async function assertSame(world: World, model: Model): Promise<void> {
  const { read } = world.core.db;
  for (const [index, { accountId }] of world.accounts.entries()) {
    const expected = model.accounts[index] ?? assert.fail();
    const { rows } = await sql<Record<string, number>>`
      select b.available_cents as available, b.held_cents as held,
        (select count(*) from orders where account_id = ${accountId}) as orders,
        (select count(*) from withdrawals where account_id = ${accountId}) as withdrawals,
        (select count(*) from actions where account_id = ${accountId}) as actions,
        (select count(*) from servers where account_id = ${accountId} and state = 'PROVISIONING') as coming,
        (select count(*) from servers where account_id = ${accountId} and state = 'ACTIVE') as active,
        (select count(*) from servers where account_id = ${accountId} and state <> 'TERMINATED'
          and ddos_requested_mode = 'ADVANCED') as requested
      from balances b where b.account_id = ${accountId}`.execute(read);
    const inState = (state: string) => expected.servers.filter((one) => one.state === state).length;
    assert.deepEqual(
      { ...rows[0] },
      {
        available: expected.available,
        held: expected.held,
        orders: expected.orders,
        withdrawals: expected.withdrawals,
        actions: expected.servers.reduce((sum, one) => sum + one.actions, 0),
        coming: inState("PROVISIONING"),
        active: inState("ACTIVE"),
        requested: expected.servers.filter((one) => one.requestedMode === "ADVANCED").length,
      },
      `account ${index}`,
    );
  }
  assert.equal(await world.freeMachines(), model.free);
}
