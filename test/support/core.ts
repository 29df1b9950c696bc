import { createSealing } from "../../packages/server/src/adapters/system/sealing.ts";
import { systemRandom } from "../../packages/server/src/adapters/system/random.ts";
import {
  defaultGraceMs,
  defaultLeaseMs,
  type Client,
  type Core,
  type Rules,
} from "../../packages/server/src/kernel/core.ts";
import { createIds } from "../../packages/server/src/kernel/ids.ts";
import { openBalance } from "../../packages/server/src/kernel/ledger.ts";
import type { Db, Engine } from "../../packages/server/src/ports/db.ts";
import type { PasswordHash } from "../../packages/server/src/ports/password-hash.ts";
import { ok } from "../../packages/server/src/ports/result.ts";
import type { Sealing } from "../../packages/server/src/ports/sealing.ts";
import type { Rates, Settlement } from "../../packages/server/src/ports/settlement.ts";
import { openEngine } from "./engines.ts";
import type { MovableClock } from "./service.ts";

/** What use cases are handed, on a real database of its own and without the HTTP around it. */
export interface TestCore {
  readonly core: Core;
  readonly clock: MovableClock;
  /** Where the database is, for a process of its own. */
  readonly location: string;
  /** Another instance on the same data: its own connections and ids, the same clock. */
  reopen(): Promise<Core>;
  dispose(): Promise<void>;
}

export interface CoreOverrides {
  /** Made for each instance over its own connection, as the composition root does. */
  readonly settlement?: (db: Db) => Settlement;
  readonly rates?: (clock: MovableClock) => Rates;
  readonly rules?: Partial<Rules>;
}

const rules: Rules = {
  sessionIdleMs: 2 * 3_600_000,
  sessionTotalMs: 12 * 3_600_000,
  rateLimits: undefined,
  graceMs: defaultGraceMs,
  leaseMs: defaultLeaseMs,
  twoOperatorsFromCents: 500_000,
  needsSecondFactor: false,
};

/** Whoever asks, as far as the audit is concerned. */
export const testClient: Client = { ipAddress: "192.0.2.1", userAgent: "test" };

export async function createTestCore(
  engine: Engine,
  overrides: CoreOverrides = {},
): Promise<TestCore> {
  const opened = await openEngine(engine);
  const clock = movableClock();
  const coreOver = (db: Db): Core => ({
    db,
    clock,
    random: systemRandom,
    ids: createIds(clock, systemRandom),
    passwords: plainPasswords,
    sealing,
    settlement: overrides.settlement?.(db),
    rates: overrides.rates?.(clock),
    rules: { ...rules, ...overrides.rules },
  });
  return {
    core: coreOver(opened.db),
    clock,
    location: opened.location,
    reopen: async () => coreOver(await opened.reopen()),
    dispose: () => opened.dispose(),
  };
}

let accounts = 0;

/** An account with an empty balance, without the price of a registration. */
export async function register(core: Core): Promise<{ accountId: string; username: string }> {
  accounts += 1;
  const accountId = core.ids.next("account");
  const username = `user${accounts}`;
  await core.db.write(async (tx) => {
    await tx
      .insertInto("accounts")
      .values({
        id: accountId,
        username,
        password_hash: "",
        recovery_hash: "",
        created_at: core.clock.now(),
      })
      .execute();
    await openBalance(tx, accountId);
    return ok();
  });
  return { accountId, username };
}

function movableClock(): MovableClock {
  let now = Date.UTC(2026, 10, 15, 9, 30);
  return { now: () => now, advance: (ms) => (now += ms) };
}

/** One key for all: instances on the same data have the same. */
const sealing = sealingWith(systemRandom.bytes(32));

export function sealingWith(...keys: readonly Buffer[]): Sealing {
  return createSealing(async () => keys);
}

/** No test at this level is about hashing, so it costs nothing. */
const plainPasswords: PasswordHash = {
  hash: async (password) => ok(`plain ${password}`),
  verify: async (password, stored) => ok(stored === `plain ${password}`),
};
