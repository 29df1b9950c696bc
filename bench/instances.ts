import { changeRequest, inAllSessions, type BenchService } from "./support/bench-service.ts";
import { measure, median, startIronlease } from "./support/processes.ts";
import { benchOrder } from "./support/rental.ts";
import { extent } from "./support/extent.ts";

const { rounds } = extent;
const seconds = extent.seconds(2);

/**
 * What a second process on the same database brings, as a multiple of one. The load generator and, on
 * PostgreSQL, the database want a core as well, so on two cores there is little left to win.
 */
export async function benchInstances(service: BenchService): Promise<void> {
  const { port, data, databaseUrl, cookies } = service;
  const second = await startIronlease(databaseUrl, data);
  const asked = {
    // Both listen on loopback, so either takes the other's port in the Host for its own name only.
    me: (to: number) => inAllSessions("GET /api/v1/me HTTP/1.1", to, cookies),
    order: (to: number) => [changeRequest({ ...service, port: to }, "/api/v1/orders", benchOrder)],
  };
  try {
    for (const [name, requests] of Object.entries(asked)) {
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
