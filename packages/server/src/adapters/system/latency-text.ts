import { latencyBounds, type OperationTally } from "./tallies.ts";

const name = "ironlease_http_request_duration_seconds";

/**
 * The latencies as a histogram. Written here because the library takes single observations only, and
 * these were counted elsewhere; what was never called takes no lines.
 */
export function latencyText(operations: readonly OperationTally[]): string {
  const lines = [
    `# HELP ${name} From the request's headers to its answer, by listener and operation.`,
    `# TYPE ${name} histogram`,
  ];
  for (const { listener, operation, byLatency, totalSeconds } of operations) {
    const labels = `listener="${listener}",operation="${operation}"`;
    let soFar = 0;
    const buckets = byLatency.map((count, index) => {
      soFar += count;
      return `${name}_bucket{${labels},le="${latencyBounds[index] ?? "+Inf"}"} ${soFar}`;
    });
    if (soFar === 0) continue;
    lines.push(...buckets);
    lines.push(`${name}_sum{${labels}} ${totalSeconds}`, `${name}_count{${labels}} ${soFar}`);
  }
  return `${lines.join("\n")}\n`;
}
