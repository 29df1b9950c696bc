import { openServiceLog } from "#composition/service-log.ts";
import { insecureOrigins, readConfig, settingsInUse } from "#config.ts";
import { startService, type StartSteps } from "#composition/start-service.ts";
import { version } from "#version.ts";
import type { Call } from "#commands/command.ts";
import { seedDemo } from "#commands/preview/demo.ts";
import { previewGuide } from "#commands/preview/guide.ts";
import { ensurePreviewOperator, type PreviewOperator } from "#commands/preview/operator.ts";
import { firstSignal } from "./first-signal.ts";

/** Runs the service until a signal stops it. Resolves with the exit code once everything is closed. */
export async function serve(mode: "preview" | "serve", { env, print }: Call): Promise<number> {
  const config = readConfig(mode, env);
  const { log, flush } = openServiceLog(config);
  // From the first moment, so that a signal during the start does not interrupt it.
  const signalled = firstSignal();
  let reload = () => {};
  // The preview ends with its terminal, which sends the same signal.
  if (mode === "serve") process.on("SIGHUP", () => reload());
  log.info({ mode, version, settings: settingsInUse(env) }, "starting");
  for (const problem of insecureOrigins(config)) log.warn(problem);
  let operator: PreviewOperator | undefined;
  const previewSteps: StartSteps = {
    prepare: seedDemo,
    // Only once the service listens: a failed start must not print the password that is shown once.
    beforeReady: async ({ core, operatorUrl }) => {
      if (operatorUrl === undefined) return;
      operator = await ensurePreviewOperator(core, config.operatorPassword);
    },
  };
  const service = await startService(config, log, {}, mode === "preview" ? previewSteps : {});
  reload = service.reloadCertificate;
  if (mode === "preview") print(previewGuide(service, config, operator));
  log.info({ url: service.url, operatorUrl: service.operatorUrl, mode, version }, "listening");
  log.info({ signal: await signalled, mode, version }, "stopping");
  await service.close();
  log.info({ mode, version }, "stopped");
  await flush();
  return 0;
}
