import { performRun } from "#server/features/hardware/perform-run.ts";
import { webauthn } from "#server/adapters/webauthn/webauthn.ts";
import { takeRun } from "#server/features/hardware/run-timer.ts";
import { createIds } from "#server/kernel/ids.ts";
import { createLastUse } from "#server/kernel/access/last-use.ts";
import { systemRandom } from "#server/adapters/system/random.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Engine } from "#server/ports/db.ts";
import type { ConnectController } from "#server/ports/controllers.ts";
import { createSealing } from "#server/adapters/system/sealing.ts";
import {
  plainPasswords,
  testRules,
  testStatementSigning,
  testWebhookPost,
} from "#test/bare-core.ts";
import { withHardware } from "#test/hardware.ts";
import { openAt } from "#test/open-at.ts";

/** A run in a process of its own, which ends with kill -9 when its first command has been accepted. */
export interface CrashingRun {
  readonly engine: Engine;
  readonly location: string;
  /** Of the sealing, in hex. */
  readonly key: string;
  /** The time of the instance's clock. */
  readonly at: number;
}

if (process.argv[1] === import.meta.filename) {
  const { engine, location, at, key } = JSON.parse(process.argv[2] ?? "") as CrashingRun;
  const clock = { now: () => at };
  const bare: Core = {
    db: await openAt(engine, location),
    clock,
    random: systemRandom,
    ids: createIds(clock, systemRandom),
    passwords: plainPasswords,
    sealing: createSealing(async () => [Buffer.from(key, "hex")]),
    statementSigning: testStatementSigning,
    settlement: undefined,
    rates: undefined,
    webauthn,
    postWebhook: testWebhookPost,
    mail: undefined,
    lastUse: createLastUse(),
    catalogueCache: { catalogue: undefined },
    rules: testRules,
  };
  const core = withHardware(bare);
  const run = await takeRun(core);
  if (run === undefined) throw new Error("No run is queued.");
  const { drivers } = core.hardware;
  const hardware = {
    ...core.hardware,
    drivers: { ...drivers, redfish: crashing(drivers.redfish) },
  };
  await performRun({ ...core, hardware }, run, new AbortController().signal);
  throw new Error("The run ended before its crash.");
}

function crashing(connect: ConnectController): ConnectController {
  return (target, calls) => {
    const controller = connect(target, calls);
    return {
      ...controller,
      command: async (what) => {
        await controller.command(what);
        process.kill(process.pid, "SIGKILL");
        return new Promise(() => {});
      },
    };
  };
}
