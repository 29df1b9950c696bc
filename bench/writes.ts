import { changeRequest, sendAs, type BenchService } from "./support/bench-service.ts";
import { pgbench } from "./support/pgbench.ts";
import { measure, median } from "./support/processes.ts";
import { rawLoop, type RawWrite } from "./support/raw-loop.ts";
import { benchOrder, deliverOne, withCore } from "./support/rental.ts";
import { extent } from "./support/extent.ts";

const { rounds } = extent;
const seconds = extent.seconds(2);

interface Write {
  readonly name: RawWrite;
  readonly path: string;
  readonly body: object;
}

/** Writes through HTTP as a share of a bare loop of the same statements with the same durability. */
export async function benchWrites(service: BenchService): Promise<void> {
  await sendAs(service)("/api/v1/orders", benchOrder);
  const serverId = await withCore(service.data, service.databaseUrl, (core) =>
    deliverOne(core, service.accountId),
  );
  const writes: readonly Write[] = [
    { name: "order", path: "/api/v1/orders", body: benchOrder },
    {
      name: "withdrawal",
      path: "/api/v1/withdrawals",
      body: { asset: "ETH", destination: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", usd: 1 },
    },
    { name: "action", path: `/api/v1/servers/${serverId}/actions`, body: { action: "reboot" } },
  ];
  for (const write of writes) await benchWrite(service, write, serverId);
}

async function benchWrite(
  service: BenchService,
  { name, path, body }: Write,
  serverId: string,
): Promise<void> {
  const target = { port: service.port, request: changeRequest(service, path, body) };
  await measure([target], { seconds });
  const shares: number[] = [];
  const tails: number[] = [];
  const ofPgbench: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const raw = await rawLoop(service, name, serverId, seconds);
    const [ours] = await measure([target], { seconds });
    shares.push(ours.perSecond / raw);
    tails.push(ours.p99 / ours.p50);
    const theirs = name === "order" ? await pgbench(service, seconds) : undefined;
    if (theirs !== undefined) ofPgbench.push(ours.perSecond / theirs);
  }
  const also =
    ofPgbench.length === 0 ? "" : `, ${median(ofPgbench).toFixed(2)} of pgbench with 4 connections`;
  console.log(
    `${service.engine} ${name}: ${median(shares).toFixed(2)} of a raw loop, one commit each${also}; p99 ${median(tails).toFixed(1)} × p50`,
  );
}
