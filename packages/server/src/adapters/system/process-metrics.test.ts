import assert from "node:assert/strict";
import { test } from "node:test";
import { processMetrics } from "./process-metrics.ts";

const everywhere = [
  "nodejs_active_handles gauge",
  "nodejs_active_handles_total gauge",
  "nodejs_active_requests gauge",
  "nodejs_active_requests_total gauge",
  "nodejs_active_resources gauge",
  "nodejs_active_resources_total gauge",
  "nodejs_eventloop_lag_max_seconds gauge",
  "nodejs_eventloop_lag_mean_seconds gauge",
  "nodejs_eventloop_lag_min_seconds gauge",
  "nodejs_eventloop_lag_p50_seconds gauge",
  "nodejs_eventloop_lag_p90_seconds gauge",
  "nodejs_eventloop_lag_p99_seconds gauge",
  "nodejs_eventloop_lag_seconds gauge",
  "nodejs_eventloop_lag_stddev_seconds gauge",
  "nodejs_external_memory_bytes gauge",
  "nodejs_gc_duration_seconds histogram",
  "nodejs_heap_size_total_bytes gauge",
  "nodejs_heap_size_used_bytes gauge",
  "nodejs_heap_space_size_available_bytes gauge",
  "nodejs_heap_space_size_total_bytes gauge",
  "nodejs_heap_space_size_used_bytes gauge",
  "nodejs_version_info gauge",
  "process_cpu_seconds_total counter",
  "process_cpu_system_seconds_total counter",
  "process_cpu_user_seconds_total counter",
  "process_resident_memory_bytes gauge",
  "process_start_time_seconds gauge",
];
const onLinux = [
  "process_heap_bytes gauge",
  "process_max_fds gauge",
  "process_open_fds gauge",
  "process_virtual_memory_bytes gauge",
];

test("the process metrics have the names and types that Node.js dashboards query", () => {
  const types = processMetrics().map((lines) => `${lines[1]}`.replace("# TYPE ", ""));
  const expected = process.platform === "linux" ? [...everywhere, ...onLinux] : everywhere;
  assert.deepEqual(types.toSorted(), expected.toSorted());
});

test("every sample is a number", () => {
  processMetrics();
  const samples = processMetrics().flatMap((lines) => lines.slice(2));
  // Event loop delays have no value before their first measurement.
  const measured = samples.filter((line) => !line.startsWith("nodejs_eventloop_lag_"));
  assert.ok(measured.length > 40);
  for (const line of measured) assert.match(line, /^\w+(?:\{(?:\w+="[^"]*",?)+\})? [\d.e+-]+$/);
});
