import assert from "node:assert/strict";
import { test } from "node:test";
import { counter, expositionText, gauge, histogram } from "./exposition.ts";
import { newHistogram, observe } from "./histogram.ts";

test("a family is written with its help, type and samples", () => {
  const text = expositionText([
    counter("requests_total", "Requests.", [
      [{ listener: "account", status: "2xx" }, 3],
      [{ listener: "account", status: "4xx" }, 0],
    ]),
    gauge("up", "Whether it is up.", [[{}, 1]]),
  ]);
  assert.equal(
    text,
    [
      "# HELP requests_total Requests.",
      "# TYPE requests_total counter",
      'requests_total{listener="account",status="2xx"} 3',
      'requests_total{listener="account",status="4xx"} 0',
      "",
      "# HELP up Whether it is up.",
      "# TYPE up gauge",
      "up 1",
      "",
    ].join("\n"),
  );
});

test("a histogram has cumulative buckets, a sum and a count, and is left out while empty", () => {
  const latency = newHistogram([0.1, 1]);
  for (const seconds of [0.1, 0.5, 0.5, 7]) observe(latency, seconds);
  const lines = histogram("seconds", "Latency.", [
    [{ operation: "used" }, latency],
    [{ operation: "unused" }, newHistogram([0.1, 1])],
  ]);
  assert.deepEqual(lines.slice(2), [
    'seconds_bucket{operation="used",le="0.1"} 1',
    'seconds_bucket{operation="used",le="1"} 3',
    'seconds_bucket{operation="used",le="+Inf"} 4',
    'seconds_sum{operation="used"} 8.1',
    'seconds_count{operation="used"} 4',
  ]);
});

test("label values are escaped", () => {
  const [, , sample] = gauge("info", "Info.", [[{ path: 'a\\b"c\nd' }, 1]]);
  assert.equal(sample, 'info{path="a\\\\b\\"c\\nd"} 1');
});
