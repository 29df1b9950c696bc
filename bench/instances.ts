import { changeRequest, inAllSessions, type BenchService } from "./support/bench-service.ts";
import { measure, median, startIronlease } from "./support/processes.ts";
import { benchOrder } from "./support/rental.ts";
import { workload } from "./support/workload.ts";

const { rounds } = workload;
const seconds = workload.seconds(2);

/**
 * Measures the throughput of two processes on one database as a multiple of one process. The load generator
 * and PostgreSQL need cores too, so two cores leave little to gain.
 */
export async function benchInstances(service: BenchService): Promise<void> {
  const { port, data, databaseUrl, cookies } = service;
  const second = await startIronlease(databaseUrl, data);
  const measured = {
    // The requests name the port they go to, because each process accepts only its own Host.
    me: (to: number) => inAllSessions("GET /api/v1/me HTTP/1.1", to, cookies),
    order: (to: number) => [changeRequest({ ...service, port: to }, "/api/v1/orders", benchOrder)],
  };
  try {
    for (const [name, requests] of Object.entries(measured)) {
      const gains: number[] = [];
      const targets = [port, second.port].map((to) => ({ port: to, requests: requests(to) }));
      await measure(targets, { seconds });
      for (let round = 0; round < rounds; round += 1) {
        const [one] = await measure([{ port, requests: requests(port) }], { seconds });
        const both = await Promise.all(
          targets.map((target) => measure([target], { seconds, connections: 16 })),
        );
        gains.push(both.reduce((sum, [{ perSecond }]) => sum + perSecond, 0) / one.perSecond);
      }
      console.log(
        `${service.engine} ${name}: two processes do ${median(gains).toFixed(2)} × what one does`,
      );
    }
  } finally {
    await second.stop();
  }
}
