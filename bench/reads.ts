import { accountOperations, operatorOperations, type Operation } from "@ironlease/contract";
import { furnish, type Furnished } from "./support/furnish.ts";
import { signedIn, type BenchService } from "./support/bench-service.ts";
import type { BenchCertificate } from "./support/certificate.ts";
import { measure, median, startBare } from "./support/processes.ts";

const rounds = 5;
const seconds = 0.5;
const warmUpSeconds = 2;

/** One read as its caller sends it. */
interface Read {
  readonly port: number;
  readonly target: string;
  readonly request: (port: number) => string;
}

/** Every read in the operation table, as a share of what bare `node:http` does with the same bytes. */
export async function benchReads(service: BenchService): Promise<void> {
  const furnished = await furnish(service);
  const operations = { ...accountOperations, ...operatorOperations };
  for (const operation of Object.values<Operation>(operations)) {
    if (operation.method === "GET") await benchRead(service, readOf(service, operation, furnished));
  }
}

/** The account's own page as with TLS on both sides. */
export async function benchTlsRead(
  service: BenchService,
  certificate: BenchCertificate,
): Promise<void> {
  const request = (port: number) => signedIn("GET /api/v1/me HTTP/1.1", port, service.cookie);
  const read = { port: service.port, target: "/api/v1/me", request };
  await benchRead(service, read, certificate);
}

function readOf(service: BenchService, operation: Operation, furnished: Furnished): Read {
  const path = operation.path.replace("{id}", furnished.idAt(operation.path));
  const target = `${path}${furnished.queryOf(operation.path)}`;
  const isDesk = operation.listener === "operator";
  const cookie = isDesk ? service.operatorCookie : service.cookie;
  return {
    port: isDesk ? service.operatorPort : service.port,
    target,
    request: (port) => signedIn(`GET ${target} HTTP/1.1`, port, cookie),
  };
}

async function benchRead(
  { engine }: BenchService,
  { port, target, request }: Read,
  certificate?: BenchCertificate,
): Promise<void> {
  const { ca } = certificate ?? {};
  const sample = await measure(port, request(port), { seconds: 0, connections: 1, ca });
  const bare = await startBare(sample.headers, sample.body, certificate);
  const shares: number[] = [];
  const tails: number[] = [];
  try {
    await measure(bare.port, request(bare.port), { seconds: warmUpSeconds / 2, ca });
    await measure(port, request(port), { seconds: warmUpSeconds, ca });
    for (let round = 0; round < rounds; round += 1) {
      const minimum = await measure(bare.port, request(bare.port), { seconds, ca });
      const ours = await measure(port, request(port), { seconds, ca });
      shares.push(ours.perSecond / minimum.perSecond);
      tails.push(ours.p99 / ours.p50);
    }
  } finally {
    await bare.stop();
  }
  const how = certificate === undefined ? "" : ", TLS on both sides";
  console.log(
    `${engine} GET ${target.replace(/_[0-9a-z]{26}/, "_…")}: ${median(shares).toFixed(2)} of bare node:http, ` +
      `${sample.body.length} bytes${how}; p99 ${median(tails).toFixed(1)} × p50`,
  );
}
