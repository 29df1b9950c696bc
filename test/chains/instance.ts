import { systemRandom } from "#server/adapters/system/random.ts";
import { webauthn } from "#server/adapters/webauthn/webauthn.ts";
import type { Core } from "#server/kernel/core.ts";
import { createIds } from "#server/kernel/ids.ts";
import { createLastUse } from "#server/kernel/access/last-use.ts";
import type { Clock } from "#server/ports/clock.ts";
import type { Db } from "#server/ports/db.ts";
import type { Chain, Rates } from "#server/ports/settlement.ts";
import {
  plainPasswords,
  testRules,
  testSealing,
  testStatementSigning,
  testWebhookPost,
} from "#test/bare-core.ts";

/** One instance of the service. Loads no test runner, because it also runs outside tests. */
export function createInstance(db: Db, clock: Clock, ...chains: readonly Chain[]): Core {
  return {
    db,
    clock,
    random: systemRandom,
    ids: createIds(clock, systemRandom),
    passwords: plainPasswords,
    sealing: testSealing,
    statementSigning: testStatementSigning,
    settlement: { mode: "TEST", chains },
    rates: fixedRates(clock),
    webauthn,
    postWebhook: testWebhookPost,
    mail: undefined,
    lastUse: createLastUse(),
    catalogueCache: { catalogue: undefined },
    rules: testRules,
  };
}

/** USD per coin of every asset, so that expected amounts do not depend on the chain. */
export const testRate = 100;

function fixedRates(clock: Clock): Rates {
  return {
    maxAgeMs: 60_000,
    answerMs: 15_000,
    usdPerCoin: async () => ({
      rate: String(testRate),
      at: clock.now(),
      sources: ["one source", "another"],
    }),
  };
}
