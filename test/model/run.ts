import assert from "node:assert/strict";
import fc from "fast-check";
import { assertInvariants } from "../support/rental-service.ts";
import { aim } from "./aim.ts";
import { accounts, free, step } from "./arbitrary.ts";
import { assertSame } from "./assert-same.ts";
import { apply } from "./model.ts";
import type { Operation } from "./operations.ts";
import { newModel, type Model } from "./state.ts";
import type { World } from "./world.ts";

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
        await world.begin(accounts, free);
        const model = newModel(accounts, free, world.core.clock.now());
        for (const { operations: several, failAt } of steps) {
          operations += several.length;
          for (const next of several.slice(0, -1)) await doBoth(world, model, next, undefined);
          for (const last of several.slice(-1)) await doBoth(world, model, last, failAt);
        }
        await assertSame(world, model);
        await assertInvariants(world.core.db);
      },
    ),
    { seed: options.seed, numRuns: options.runs, endOnFailure: options.shrinks !== true },
  );
  return operations;
}

async function doBoth(
  world: World,
  model: Model,
  wish: Operation,
  failAt: number | undefined,
): Promise<void> {
  const operation = aim(model, wish);
  // A payment's fate is told to the provider outside of any transaction, so it cannot half happen.
  const diesAt = operation.kind === "pay" || operation.kind === "wait" ? undefined : failAt;
  const outcome = await world.apply(operation, diesAt);
  if (outcome !== "died") {
    assert.equal(outcome, apply(model, operation), JSON.stringify(operation));
    return;
  }
  // Whoever dies leaves nothing behind, so what follows is as if nothing had been asked. Only a pass
  // is many transactions: the next one goes on where it died.
  if (operation.kind === "renew") await doBoth(world, model, operation, undefined);
}
