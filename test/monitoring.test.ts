import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { skipWithout } from "#test/components.ts";
import { programOf } from "#test/run-component.ts";
import { startTestService } from "#test/service.ts";

const pathOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (path: string) => readFileSync(pathOf(path), "utf8");

const rulesPath = "deploy/prometheus/ironlease.rules.yml";
const rules = read(rulesPath);
const dashboard = read("deploy/grafana/ironlease.json");

/** Suffixes that Prometheus adds to the name of a histogram. */
const familyOf = (metric: string) => metric.replace(/_(?:bucket|sum|count)$/, "");

test("every metric in the alerts and the dashboard is one that the service exports", async () => {
  const service = await startTestService("sqlite");
  try {
    const { text } = await service.sendToDesk("GET", "/metrics");
    const exported = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const used = `${rules} ${dashboard}`.match(/\b(?:ironlease|nodejs|process)_\w+/g) ?? [];
    // Chains and reverse DNS have metrics only while they are connected.
    const optional = /^ironlease_(?:chain|reverse_dns|liabilities|unconfirmed)_/;
    const missing = [...new Set(used.map(familyOf))].filter(
      (name) => !exported.has(name) && !optional.test(name),
    );
    assert.deepEqual(missing, []);
    assert.ok(used.length > 40);
  } finally {
    await service.close();
  }
});

test("the runbook has a section for each alert, and for nothing else", () => {
  const alerts = [...rules.matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name = ""]) => name);
  const sections = [...read("docs/runbook.md").matchAll(/^## (\w+)$/gm)].map(
    ([, name = ""]) => name,
  );
  assert.ok(alerts.length > 15);
  assert.deepEqual(sections.toSorted(), alerts.toSorted());
});

test("the runbook names a message of the log for each background job", async () => {
  const named = new Map(
    Array.from(
      read("docs/runbook.md").matchAll(/\| `([a-z_]+)` +\| `([^`]+)`/g),
      ([, job = "", message = ""]) => [job, message],
    ),
  );
  const service = await startTestService("sqlite");
  try {
    const { text } = await service.sendToDesk("GET", "/metrics");
    const jobs = [...text.matchAll(/^ironlease_pass_runs_total\{pass="(\w+)"/gm)].map(
      ([, job = ""]) => job,
    );
    assert.deepEqual([...named.keys()].toSorted(), jobs.toSorted());
  } finally {
    await service.close();
  }
  const logs = read("docs/reference/logs.md");
  for (const message of named.values()) assert.ok(logs.includes(`\`${message}\``), message);
});

describe("promtool", { skip: await skipWithout("promtool") }, () => {
  test("accepts the alerts, and they fire when they should and not otherwise", async () => {
    const promtool = await programOf("promtool", "promtool");
    assert.match(promtool(["check", "rules", pathOf(rulesPath)]), /SUCCESS: \d+ rules found/);
    const folder = mkdtempSync(join(tmpdir(), "ironlease-rules-"));
    try {
      const file = join(folder, "test.yml");
      writeFileSync(file, unitTest(pathOf(rulesPath)));
      assert.match(promtool(["test", "rules", file]), /SUCCESS/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const certificateSeries = (edge: "start" | "expiry", listener: string) =>
  `ironlease_certificate_${edge}_timestamp_seconds{listener="${listener}"}`;

const noCertificate = {
  exp_labels: { severity: "page", listener: "operator" },
  exp_annotations: {
    summary: "The certificate of the listener operator expires soon, or none is issued",
  },
};

const lastSuccess = (pass: string) =>
  `ironlease_pass_last_success_timestamp_seconds{instance="a",pass="${pass}"}`;

const stopped = (pass: string) => ({
  exp_labels: { severity: "page", pass },
  exp_annotations: {
    summary: `The background job ${pass} has not succeeded for 15 minutes on any instance`,
  },
});

/** How many machines of each state an instance reports for an offer, minute by minute. */
const stock = (instance: string, config: string, region: string, states: object) =>
  Object.entries(states).map(([state, values]) => ({
    series: `ironlease_offer_machines{instance="${instance}",config="${config}",region="${region}",state="${state}"}`,
    values,
  }));

const soldOut = (config: string, region: string) => ({
  exp_labels: { severity: "warn", config, region },
  exp_annotations: { summary: `${config} is sold out in ${region}` },
});

/** JSON is valid YAML. */
function unitTest(path: string): string {
  const firing = (instance: string) => ({
    exp_labels: { severity: "page", instance },
    exp_annotations: {
      summary: "The database does not answer or is a read-only standby, so customers get 503",
    },
  });
  return JSON.stringify({
    rule_files: [path],
    evaluation_interval: "15s",
    tests: [
      {
        interval: "15s",
        input_series: [
          { series: 'ironlease_database_up{instance="a"}', values: "1x4 0x8" },
          { series: 'ironlease_database_up{instance="b"}', values: "1x12" },
        ],
        alert_rule_test: [
          { eval_time: "1m", alertname: "DatabaseDown", exp_alerts: [] },
          { eval_time: "3m", alertname: "DatabaseDown", exp_alerts: [firing("a")] },
        ],
      },
      {
        interval: "1m",
        input_series: [
          { series: certificateSeries("start", "account"), values: "0x60" },
          { series: certificateSeries("expiry", "account"), values: `${90 * 86_400}x60` },
          { series: certificateSeries("start", "operator"), values: "0x60" },
          { series: certificateSeries("expiry", "operator"), values: "0x60" },
        ],
        alert_rule_test: [
          { eval_time: "10m", alertname: "CertificateExpires", exp_alerts: [] },
          { eval_time: "40m", alertname: "CertificateExpires", exp_alerts: [noCertificate] },
        ],
      },
      {
        name: "jobs that run since minute 21, and settlement with no chain connected",
        interval: "1m",
        input_series: [
          { series: lastSuccess("renewals"), values: "_x20 0 1260+60x60" },
          { series: lastSuccess("settlement"), values: "0x60" },
        ],
        alert_rule_test: [
          { eval_time: "20m", alertname: "BackgroundJobStopped", exp_alerts: [] },
          { eval_time: "21m", alertname: "BackgroundJobStopped", exp_alerts: [] },
          { eval_time: "40m", alertname: "BackgroundJobStopped", exp_alerts: [] },
        ],
      },
      {
        name: "a job that stopped, and one that never succeeded",
        interval: "1m",
        input_series: [
          { series: lastSuccess("settlement"), values: "60x60" },
          { series: lastSuccess("sweep"), values: "0x60" },
        ],
        alert_rule_test: [
          {
            eval_time: "40m",
            alertname: "BackgroundJobStopped",
            exp_alerts: [stopped("settlement"), stopped("sweep")],
          },
        ],
      },
      {
        name: "the last machine is sold in one region, and no other offer is sold out",
        interval: "1m",
        input_series: [
          ...stock("a", "metal-s", "fra", { FREE: "1x5 0x10", ASSIGNED: "0x5 1x10" }),
          ...stock("b", "metal-s", "fra", { FREE: "1x5 0x10", ASSIGNED: "0x5 1x10" }),
          ...stock("a", "metal-s", "ams", { FREE: "1x15", ASSIGNED: "3x15" }),
          ...stock("a", "metal-m", "fra", { FREE: "0x15", ASSIGNED: "0x15" }),
          ...stock("a", "metal-l", "fra", { FREE: "0x15", RETIRED: "2x15" }),
        ],
        alert_rule_test: [
          { eval_time: "5m", alertname: "SoldOut", exp_alerts: [] },
          { eval_time: "10m", alertname: "SoldOut", exp_alerts: [soldOut("metal-s", "fra")] },
        ],
      },
      {
        name: "every machine is kept out of sale, or waits to be wiped",
        interval: "1m",
        input_series: [
          ...stock("a", "metal-s", "fra", { FREE: "0x15", KEPT_OUT: "1x15" }),
          ...stock("a", "metal-s", "ams", { FREE: "0x15", DIRTY: "1x15" }),
        ],
        alert_rule_test: [
          {
            eval_time: "10m",
            alertname: "SoldOut",
            exp_alerts: [soldOut("metal-s", "fra"), soldOut("metal-s", "ams")],
          },
        ],
      },
    ],
  });
}
