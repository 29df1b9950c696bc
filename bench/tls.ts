import { benchTlsRead } from "./reads.ts";
import { inAllSessions, type BenchService } from "./support/bench-service.ts";
import { makeCertificate } from "./support/certificate.ts";
import { measure, startIronlease } from "./support/processes.ts";
import { workload } from "./support/workload.ts";

const seconds = workload.seconds(5);

/** Measures a read over TLS against bare `node:https`, and against the service without TLS. */
export async function benchTls(service: BenchService): Promise<void> {
  const certificate = await makeCertificate();
  const { data, databaseUrl, cookies } = service;
  const secure = await startIronlease(databaseUrl, data, certificate);
  const { ca } = certificate;
  try {
    await benchTlsRead({ ...service, ...secure }, certificate);
    const requests = (port: number) => inAllSessions("GET /api/v1/me HTTP/1.1", port, cookies);
    const [plain, ours] = await measure(
      [
        { port: service.port, requests: requests(service.port) },
        { port: secure.port, requests: requests(secure.port), ca },
      ],
      { seconds },
    );
    const share = (ours.perSecond / plain.perSecond).toFixed(2);
    console.log(`${service.engine} GET /api/v1/me: ${share} with TLS of the rate without TLS`);
  } finally {
    await secure.stop();
  }
}
