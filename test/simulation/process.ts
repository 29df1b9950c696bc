import { createSimulatedRates } from "#server/adapters/settlement-simulated/simulated-rates.ts";
import { webauthn } from "#server/adapters/webauthn/webauthn.ts";
import { createSimulatedSettlement } from "#server/adapters/settlement-simulated/simulated-settlement.ts";
import type { Core } from "#server/kernel/core.ts";
import { createIds } from "#server/kernel/ids.ts";
import { createLastUse } from "#server/kernel/access/last-use.ts";
import type { Clock } from "#server/ports/clock.ts";
import type { Db } from "#server/ports/db.ts";
import type { Random } from "#server/ports/random.ts";
import {
  plainPasswords,
  testRules,
  testSealing,
  testStatementSigning,
  testWebhookPost,
} from "#test/bare-core.ts";
import { withPayouts, type PayoutNetwork } from "#test/payout-network.ts";
import type { GatedQueries } from "./gated-queries.ts";
import { openActions, twoOperatorsFromCents } from "./model/state.ts";
import type { ProcessState } from "./scheduler.ts";
import { simulateDb } from "./simulated-db.ts";
import { simulatePasswords, simulateProvider, simulateRates } from "./simulated-provider.ts";

const yearMs = 365 * 86_400_000;

/** Creates the service core on a database, with the clock and randomness of the run. */
export function coreOver(db: Db, clock: Clock, random: Random): Core {
  return {
    db,
    clock,
    random,
    ids: createIds(clock, random),
    passwords: plainPasswords,
    sealing: testSealing,
    statementSigning: testStatementSigning,
    settlement: createSimulatedSettlement(db, random),
    rates: createSimulatedRates(clock),
    webauthn,
    postWebhook: testWebhookPost,
    mail: undefined,
    lastUse: createLastUse(),
    catalogueCache: { catalogue: undefined },
    // The model knows every event of a run, which is shorter than a year.
    rules: {
      ...testRules,
      twoOperatorsFromCents,
      openActions,
      keepDeliveriesMs: yearMs,
      // Sessions end only by what customers do.
      sessionIdleMs: 100 * yearMs,
      sessionTotalMs: 100 * yearMs,
    },
  };
}

/** A process that runs the core. After a crash, the next process has the same database and the same network. */
export interface ServiceProcess extends ProcessState {
  readonly network: PayoutNetwork;
  readonly core: Core;
  readonly real: Db;
}

export function startProcess(
  real: Db,
  { queries, network }: { readonly queries: GatedQueries; readonly network: PayoutNetwork },
  clock: Clock,
  random: Random,
): ServiceProcess {
  const state: ProcessState = { hasCrashed: false, activeWriter: undefined };
  const core = coreOver(simulateDb(real, state, queries), clock, random);
  const provider = withPayouts(createSimulatedSettlement(core.db, random), network);
  return Object.assign(state, {
    real,
    network,
    core: {
      ...core,
      settlement: simulateProvider(provider),
      rates: simulateRates(createSimulatedRates(clock)),
      passwords: simulatePasswords(plainPasswords),
    },
  });
}
