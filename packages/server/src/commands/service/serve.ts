import { createLog, flushLog, readableLines } from "../../adapters/system/log.ts";
import { insecureOrigins, readConfig, settingsInUse, type Mode } from "../../config.ts";
import { startService, type StartSteps } from "../../main.ts";
import { version } from "../../version.ts";
import { firstSignal } from "./first-signal.ts";
import { seedDemo } from "../preview/demo.ts";
import { previewGuide } from "../preview/guide.ts";
import { ensurePreviewOperator, type PreviewOperator } from "../preview/operator.ts";
import type { Environment, Print } from "../with-database.ts";

/** Runs the service until a signal stops it. Resolves with the exit code once everything is closed. */
export async function serve(mode: Mode, env: Environment, print: Print): Promise<number> {
  const config = readConfig(mode, env);
  const isWatched = mode === "preview" && process.stdout.isTTY;
  const log = createLog(config.logLevel, isWatched ? readableLines(process.stdout) : undefined);
  // Listened for from the first moment on: a signal during the start must not cut it in the middle.
  const signalled = firstSignal();
  log.info({ mode, version, settings: settingsInUse(env) }, "starting");
  for (const problem of insecureOrigins(config)) log.warn(problem);
  let operator: PreviewOperator | undefined;
  const previewSteps: StartSteps = {
    prepare: seedDemo,
    // Once it listens: a start that fails must not use up the one time that the password is shown.
    beforeReady: async ({ core, operatorUrl }) => {
      if (operatorUrl === undefined) return;
      operator = await ensurePreviewOperator(core, config.operatorPassword);
    },
  };
  const service = await startService(config, log, {}, mode === "preview" ? previewSteps : {});
  if (mode === "preview") print(previewGuide(service, config, operator));
  log.info({ url: service.url, operatorUrl: service.operatorUrl, mode, version }, "listening");
  log.info({ signal: await signalled, mode, version }, "stopping");
  await service.close();
  log.info({ mode, version }, "stopped");
  await flushLog(log);
  return 0;
}
