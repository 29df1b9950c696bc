import { systemRandom } from "#server/adapters/system/random.ts";
import { webauthn } from "#server/adapters/webauthn/webauthn.ts";
import type { Core, Rules } from "#server/kernel/core.ts";
import type { WebhookPost } from "#server/ports/webhook-post.ts";
import { createIds } from "#server/kernel/ids.ts";
import { createLastUse } from "#server/kernel/access/last-use.ts";
import type { Db, Engine } from "#server/ports/db.ts";
import type { Rates, Settlement } from "#server/ports/settlement.ts";
import {
  plainPasswords,
  testRules,
  testSealing,
  testStatementSigning,
  testWebhookPost,
} from "./bare-core.ts";
import { openEngine } from "./engines.ts";
import type { MovableClock } from "./service.ts";

export { register, testClient } from "./bare-core.ts";

/** The `Core` that use cases receive, on its own real database and without HTTP. */
export interface TestCore {
  readonly core: Core;
  readonly clock: MovableClock;
  /** The database's path or URL, for other processes. */
  readonly location: string;
  /** Another instance on the same data, with its own connections and ids and the same clock. */
  reopen(): Promise<Core>;
  dispose(): Promise<void>;
}

export interface CoreOverrides {
  /** Created for each instance over its own connection, as the composition root does. */
  readonly settlement?: (db: Db) => Settlement;
  readonly rates?: (clock: MovableClock) => Rates;
  readonly mail?: Core["mail"];
  readonly rules?: Partial<Rules>;
  readonly postWebhook?: WebhookPost;
}

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
    sealing: testSealing,
    statementSigning: testStatementSigning,
    settlement: overrides.settlement?.(db),
    rates: overrides.rates?.(clock),
    webauthn,
    postWebhook: overrides.postWebhook ?? testWebhookPost,
    mail: overrides.mail,
    lastUse: createLastUse(),
    catalogueCache: { catalogue: undefined },
    rules: { ...testRules, ...overrides.rules },
  });
  return {
    core: coreOver(opened.db),
    clock,
    location: opened.location,
    reopen: async () => coreOver(await opened.reopen()),
    dispose: () => opened.dispose(),
  };
}

function movableClock(): MovableClock {
  let now = Date.UTC(2026, 10, 15, 9, 30);
  return { now: () => now, advance: (ms) => (now += ms) };
}
