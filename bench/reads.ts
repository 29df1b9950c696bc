import { signedIn, type BenchService } from "./support/bench-service.ts";
import { measure, median, startBare } from "./support/processes.ts";

const rounds = 15;
const seconds = 0.7;
const warmUpSeconds = 8;

/** Each read as a share of what bare `node:http` does with the same bytes, taken in turns. */
export async function benchReads(service: BenchService, paths: readonly string[]): Promise<void> {
  for (const path of paths) await benchRead(service, path);
}

async function benchRead({ engine, port, cookie }: BenchService, path: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } });
  const body = await answer.text();
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !["date", "connection", "keep-alive"].includes(name)),
  );
  const bare = await startBare(headers, body);
  const request = (to: number) => signedIn(`GET ${path} HTTP/1.1`, to, cookie);
  const ratios: number[] = [];
  const p99s: number[] = [];
  try {
    await measure(bare.port, request(bare.port), 1);
    await measure(port, request(port), warmUpSeconds);
    for (let round = 0; round < rounds; round += 1) {
      const minimum = await measure(bare.port, request(bare.port), seconds);
      const ours = await measure(port, request(port), seconds);
      ratios.push(ours.perSecond / minimum.perSecond);
      p99s.push(ours.p99 / ours.p50);
    }
  } finally {
    await bare.stop();
  }
  console.log(
    `${engine} GET ${path}: ${median(ratios).toFixed(2)} of bare node:http, p99 ${median(p99s).toFixed(1)} × p50`,
  );
}
