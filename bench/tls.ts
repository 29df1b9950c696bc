import { benchTlsRead } from "./reads.ts";
import { signedIn, type BenchService } from "./support/bench-service.ts";
import { makeCertificate } from "./support/certificate.ts";
import { measure, median, startIronlease } from "./support/processes.ts";

const rounds = 5;
const seconds = 1;

/** TLS: against bare `node:https`, and against ourselves without it. */
export async function benchTls(service: BenchService): Promise<void> {
  const certificate = await makeCertificate();
  const { data, databaseUrl, cookie } = service;
  const secure = await startIronlease(databaseUrl, data, certificate);
  const { ca } = certificate;
  try {
    await benchTlsRead({ ...service, ...secure }, certificate);
    const request = (port: number) => signedIn("GET /api/v1/me HTTP/1.1", port, cookie);
    const shares: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const plain = await measure(service.port, request(service.port), { seconds });
      const ours = await measure(secure.port, request(secure.port), { seconds, ca });
      shares.push(ours.perSecond / plain.perSecond);
    }
    console.log(
      `${service.engine} GET /api/v1/me: ${median(shares).toFixed(2)} with TLS of what it is without`,
    );
  } finally {
    await secure.stop();
  }
}
