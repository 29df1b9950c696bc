import { accountOperations, operatorOperations, type Operation } from "@ironlease/contract";
import { seedAccount, type SeededAccount } from "./support/seed-account.ts";
import { inAllSessions, type BenchService } from "./support/bench-service.ts";
import type { BenchCertificate } from "./support/certificate.ts";
import { measure, startBare } from "./support/processes.ts";
import { workload } from "./support/workload.ts";

const seconds = workload.seconds(2);
const warmUpSeconds = workload.seconds(2);

interface Read {
  readonly port: number;
  readonly target: string;
  readonly requests: (port: number) => readonly string[];
}

/** Measures every read in the operation table as a share of bare `node:http` that answers with the same bytes. */
export async function benchReads(service: BenchService): Promise<void> {
  const seeded = await seedAccount(service);
  const operations = { ...accountOperations, ...operatorOperations };
  for (const operation of Object.values<Operation>(operations)) {
    // A streamed answer has no fixed bytes to compare with.
    if (operation.method === "GET" && operation.streamed === undefined)
      await benchRead(service, readOf(service, operation, seeded));
  }
}

/** Measures `GET /api/v1/me` as a share of bare `node:https`. */
export async function benchTlsRead(
  service: BenchService,
  certificate: BenchCertificate,
): Promise<void> {
  const requests = (port: number) =>
    inAllSessions("GET /api/v1/me HTTP/1.1", port, service.cookies);
  const read = { port: service.port, target: "/api/v1/me", requests };
  await benchRead(service, read, certificate);
}

function readOf(service: BenchService, operation: Operation, seeded: SeededAccount): Read {
  const path = operation.path.replace(/\{(?:id|key|date|version)\}/, seeded.idFor(operation.path));
  const target = `${path}${seeded.queryFor(operation.path)}`;
  const isDesk = operation.listener === "operator";
  const cookies = isDesk ? service.operatorCookies : service.cookies;
  return {
    port: isDesk ? service.operatorPort : service.port,
    target,
    requests: (port) => inAllSessions(`GET ${target} HTTP/1.1`, port, cookies),
  };
}

async function benchRead(
  { engine }: BenchService,
  { port, target, requests }: Read,
  certificate?: BenchCertificate,
): Promise<void> {
  const { ca } = certificate ?? {};
  const toOurs = { port, requests: requests(port), ca };
  const [sample] = await measure([toOurs], { seconds: 0, connections: 1 });
  const bare = await startBare(sample.headers, sample.body, certificate);
  const toBare = { port: bare.port, requests: requests(bare.port), ca };
  try {
    await measure([toBare, toOurs], { seconds: warmUpSeconds });
    const [minimum, ours] = await measure([toBare, toOurs], { seconds });
    const how = certificate === undefined ? "" : ", TLS on both sides";
    console.log(
      `${engine} GET ${target.replace(/_[0-9a-z]{26}/, "_…")}: ${(ours.perSecond / minimum.perSecond).toFixed(2)} of bare node:http, ` +
        `${sample.body.length} bytes${how}; p99 ${(ours.p99 / ours.p50).toFixed(1)} × p50, ${(minimum.p99 / minimum.p50).toFixed(1)} of bare`,
    );
  } finally {
    await bare.stop();
  }
}
