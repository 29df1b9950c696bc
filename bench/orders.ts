import { orderRequest, type BenchService } from "./support/bench-service.ts";
import { measure, median } from "./support/processes.ts";
import { rawLoop } from "./support/raw-loop.ts";
import { benchOrder } from "./support/rental.ts";

const rounds = 3;
const seconds = 3;

/** Orders through HTTP as a share of a bare loop of the same statements with the same durability. */
export async function benchOrders(service: BenchService): Promise<void> {
  const request = orderRequest(service, benchOrder);
  await measure(service.port, request, seconds);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const raw = await rawLoop(service, seconds);
    const ours = await measure(service.port, request, seconds);
    ratios.push(ours.perSecond / raw);
  }
  console.log(
    `${service.engine} POST /api/v1/orders: ${median(ratios).toFixed(2)} of a raw loop, one order a commit`,
  );
}
