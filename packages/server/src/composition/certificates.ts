import { loadTls, type LoadedTls } from "#adapters/system/tls.ts";
import { certificateNames, type Config } from "#config.ts";
import type { WakeableJob } from "#kernel/concurrency/interval-job.ts";
import type { Core } from "#kernel/core.ts";
import type { IssuedCertificate } from "#ports/certificate-authority.ts";
import type { Log } from "#ports/log.ts";
import type { Metrics } from "#ports/metrics.ts";
import { openAcme } from "./acme.ts";
import { startCertificateJob } from "./certificate-job.ts";
import type { ListenerCertificates, OpenListener } from "./listeners.ts";

/** Reading files and the database is cheap. Our own certificate is renewed a month before it expires. */
const filesEveryMs = 2_000;
const acmeEveryMs = 10_000;
const localEveryMs = 12 * 3_600_000;

/** Where the listeners' certificates come from. */
export interface Certificates {
  /** What the listeners start with. */
  readonly first: ListenerCertificates;
  /** For clients on this machine. Undefined without TLS. */
  readonly account: LoadedTls | undefined;
  startJobs(listeners: readonly OpenListener[]): readonly WakeableJob[];
  close(): void;
}

export async function openCertificates(
  config: Config,
  core: Core,
  log: Log,
  metrics: Metrics,
): Promise<Certificates> {
  const { tls, data } = config;
  const loadLocal = () => loadTls(tls, data, core.clock.now());
  const local = await loadLocal();
  const jobOf = (listeners: readonly OpenListener[], started: IssuedCertificate | undefined) => ({
    core,
    log,
    metrics,
    listeners,
    started,
  });
  const acme = await openAcme(config, core, log);
  if (acme === undefined) {
    const everyMs = tls.kind === "files" ? filesEveryMs : localEveryMs;
    return {
      first: { account: local, operator: local },
      account: local,
      startJobs: (listeners) =>
        local === undefined
          ? []
          : [startCertificateJob({ ...jobOf(listeners, local), load: loadLocal, everyMs })],
      close: () => {},
    };
  }
  const issued = await acme.current();
  // Without an origin of its own, the operator listener is on loopback, where no authority's certificate fits.
  const hasDeskName = certificateNames({ ...config, origin: undefined }).length > 0;
  const isIssuedFor = ({ name }: Pick<OpenListener, "name">) => name === "account" || hasDeskName;
  return {
    first: {
      account: issued ?? local,
      operator: hasDeskName ? (issued ?? local) : local,
    },
    account: issued === undefined ? local : { ...issued, caPath: undefined },
    startJobs: (listeners) => {
      const ours = listeners.filter((listener) => !isIssuedFor(listener));
      const ofOurs = { ...jobOf(ours, local), load: loadLocal, everyMs: localEveryMs };
      return [
        startCertificateJob({
          ...jobOf(listeners.filter(isIssuedFor), issued),
          load: acme.keep,
          everyMs: acmeEveryMs,
        }),
        ...(ours.length === 0 ? [] : [startCertificateJob(ofOurs)]),
      ];
    },
    close: acme.close,
  };
}
