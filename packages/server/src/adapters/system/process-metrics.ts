import { readdirSync, readFileSync } from "node:fs";
import { constants, monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics } from "node:v8";
import { counter, gauge, histogram, type Family, type Sample } from "./exposition.ts";
import { newHistogram, observe, type Histogram } from "./histogram.ts";

/** The names are those of prom-client's default metrics, which published Node.js dashboards query. */
export type ProcessMetrics = () => readonly Family[];

let shared: ProcessMetrics | undefined;

/** Shared by the whole process. Observes the garbage collector and the event loop from the first call on. */
export function processMetrics(): readonly Family[] {
  shared ??= startProcessMetrics();
  return shared();
}

function startProcessMetrics(): ProcessMetrics {
  const eventLoop = eventLoopMetrics();
  const garbageCollection = gcMetrics();
  return () => [
    ...cpuMetrics(),
    ...memoryMetrics(),
    ...fileDescriptorMetrics(),
    ...eventLoop(),
    ...activeMetrics(),
    ...heapMetrics(),
    versionMetric(),
    garbageCollection(),
  ];
}

const startedAtSeconds = Math.round(Date.now() / 1000 - process.uptime());

function cpuMetrics(): Family[] {
  const { user, system } = process.cpuUsage();
  const total = (name: string, help: string, micros: number) =>
    counter(name, help, [[{}, micros / 1e6]]);
  return [
    total("process_cpu_user_seconds_total", "User CPU time in seconds.", user),
    total("process_cpu_system_seconds_total", "System CPU time in seconds.", system),
    total("process_cpu_seconds_total", "User and system CPU time in seconds.", user + system),
    single("process_start_time_seconds", "Start time in Unix seconds.", startedAtSeconds),
  ];
}

function memoryMetrics(): Family[] {
  const resident = "Resident memory in bytes.";
  const status = readProc("status");
  if (status === undefined) {
    return [single("process_resident_memory_bytes", resident, process.memoryUsage.rss())];
  }
  const bytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
  return [
    single("process_resident_memory_bytes", resident, bytes("VmRSS")),
    single("process_virtual_memory_bytes", "Virtual memory in bytes.", bytes("VmSize")),
    single("process_heap_bytes", "Size of the data segment in bytes.", bytes("VmData")),
  ];
}

function fileDescriptorMetrics(): Family[] {
  const max = /^Max open files\s+(\d+)/m.exec(readProc("limits") ?? "")?.[1];
  if (max === undefined) return [];
  // Reading the folder opens one descriptor itself.
  const open = readdirSync("/proc/self/fd").length - 1;
  return [
    single("process_open_fds", "Open file descriptors.", open),
    single("process_max_fds", "Limit of open file descriptors.", Number(max)),
  ];
}

/** Linux only. /proc is not on a disk, so the read does not block. */
function readProc(name: string): string | undefined {
  return process.platform === "linux" ? readFileSync(`/proc/self/${name}`, "utf8") : undefined;
}

function eventLoopMetrics(): ProcessMetrics {
  const delay = monitorEventLoopDelay({ resolution: 50 });
  delay.enable();
  let lagMs = 0;
  return () => {
    const before = performance.now();
    setImmediate(() => {
      lagMs = performance.now() - before;
    });
    const nanoseconds = (name: string, help: string, value: number) =>
      single(`nodejs_eventloop_lag_${name}_seconds`, help, value / 1e9);
    const families = [
      single("nodejs_eventloop_lag_seconds", "Event loop lag at the last scrape.", lagMs / 1000),
      nanoseconds("min", "Minimum event loop delay since the last scrape.", delay.min),
      nanoseconds("max", "Maximum event loop delay since the last scrape.", delay.max),
      nanoseconds("mean", "Mean event loop delay since the last scrape.", delay.mean),
      nanoseconds("stddev", "Standard deviation of the event loop delay.", delay.stddev),
      nanoseconds("p50", "50th percentile of the event loop delay.", delay.percentile(50)),
      nanoseconds("p90", "90th percentile of the event loop delay.", delay.percentile(90)),
      nanoseconds("p99", "99th percentile of the event loop delay.", delay.percentile(99)),
    ];
    delay.reset();
    return families;
  };
}

/** Deprecated, but the only source of the numbers that dashboards show. */
const { _getActiveHandles: activeHandles, _getActiveRequests: activeRequests } =
  process as unknown as Record<`_getActive${"Handles" | "Requests"}`, () => readonly object[]>;

function activeMetrics(): Family[] {
  const byType = (name: string, what: string, types: readonly string[]): Family[] => {
    const counts = Object.entries(Object.groupBy(types, (type) => type));
    const samples = counts.map(([type, all = []]): Sample => [{ type }, all.length]);
    return [
      gauge(name, `Active ${what}, by type.`, samples),
      single(`${name}_total`, `Active ${what}.`, types.length),
    ];
  };
  const className = (object: object) => object.constructor.name;
  return [
    ...byType("nodejs_active_resources", "resources", process.getActiveResourcesInfo()),
    ...byType("nodejs_active_handles", "libuv handles", activeHandles().map(className)),
    ...byType("nodejs_active_requests", "libuv requests", activeRequests().map(className)),
  ];
}

function heapMetrics(): Family[] {
  const { heapTotal, heapUsed, external } = process.memoryUsage();
  const spaces = getHeapSpaceStatistics();
  const bySpace = (
    name: string,
    field: "space_size" | "space_used_size" | "space_available_size",
  ): Family =>
    gauge(
      `nodejs_heap_space_size_${name}_bytes`,
      `Heap space in bytes, ${name}.`,
      spaces.map((space) => [{ space: space.space_name.replace(/_space.*$/, "") }, space[field]]),
    );
  return [
    single("nodejs_heap_size_total_bytes", "Heap size in bytes.", heapTotal),
    single("nodejs_heap_size_used_bytes", "Used heap in bytes.", heapUsed),
    single("nodejs_external_memory_bytes", "External memory in bytes.", external),
    bySpace("total", "space_size"),
    bySpace("used", "space_used_size"),
    bySpace("available", "space_available_size"),
  ];
}

function versionMetric(): Family {
  const [major = "", minor = "", patch = ""] = process.versions.node.split(".");
  const labels = { version: process.version, major, minor, patch };
  return gauge("nodejs_version_info", "Node.js version; always 1.", [[labels, 1]]);
}

const gcKinds = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, "major"],
  [constants.NODE_PERFORMANCE_GC_MINOR, "minor"],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, "incremental"],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, "weakcb"],
]);

interface GcEntry extends PerformanceEntry {
  readonly detail: { readonly kind: number };
}

function gcMetrics(): () => Family {
  const durations = new Map(
    Array.from(gcKinds.values(), (kind): [string, Histogram] => [
      kind,
      newHistogram([0.001, 0.01, 0.1, 1, 2, 5]),
    ]),
  );
  new PerformanceObserver((list) => {
    for (const { detail, duration } of list.getEntries() as GcEntry[]) {
      const { kind } = detail;
      const durationsOfKind = durations.get(gcKinds.get(kind) ?? "");
      if (durationsOfKind !== undefined) observe(durationsOfKind, duration / 1000);
    }
  }).observe({ entryTypes: ["gc"] });
  return () =>
    histogram(
      "nodejs_gc_duration_seconds",
      "Garbage collection duration, by kind.",
      Array.from(durations, ([kind, ofKind]) => [{ kind }, ofKind]),
    );
}

function single(name: string, help: string, value: number): Family {
  return gauge(name, help, [[{}, value]]);
}
