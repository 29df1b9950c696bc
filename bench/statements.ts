import { spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { addCustomer, type BenchService } from "./support/bench-service.ts";
import { lengthenLedger } from "./support/long-ledger.ts";
import { withCore } from "./support/rental.ts";
import { workload } from "./support/workload.ts";

const cli = fileURLToPath(new URL("../packages/cli/bin/ironlease.js", import.meta.url));

/** Prints a line with the largest memory of a process when it ends. */
const reportMemory = `--import=data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => console.log("\\n" + process.resourceUsage().maxRSS));',
)}`;

/** Measures a long statement: how long the service sends it, and how much memory both sides need. */
export async function benchStatements(service: BenchService): Promise<void> {
  const { engine, data, databaseUrl, port, pid } = service;
  const customer = await addCustomer(service, "statements");
  await withCore(data, databaseUrl, (core) =>
    lengthenLedger(core, customer.accountId, workload.statementEntries),
  );
  const get = (path: string, accept: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie: customer.cookie, accept } });
  const keys = join(data, "keys.json");
  const published = await get("/.well-known/ironlease-statement-keys.json", "*/*");
  writeFileSync(keys, await published.bytes());
  for (const [format, accept] of [
    ["json", "application/json"],
    ["csv", "text/csv"],
  ] as const) {
    const file = join(data, `statement.${format}`);
    const startMb = memoryMb(pid, "VmRSS");
    // The kernel starts a new peak.
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    const startedAt = performance.now();
    const { body } = await get("/api/v1/statement", accept);
    if (body === null) throw new Error("the statement is empty");
    await writeFile(file, body);
    const sentMs = performance.now() - startedAt;
    const growthMb = memoryMb(pid, "VmHWM") - startMb;
    const verified = await verify(file, keys, data);
    console.log(
      `${engine} statement of ${workload.statementEntries} entries as ${format}: ${megabytes(statSync(file).size)} in ${seconds(sentMs)}, ` +
        `${growthMb.toFixed(0)} MB more memory; verified in ${seconds(verified.ms)} with ${verified.mb.toFixed(0)} MB`,
    );
  }
}

/** Runs `ironlease statement verify`, without a connection. */
async function verify(
  file: string,
  keys: string,
  home: string,
): Promise<{ ms: number; mb: number }> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [reportMemory, cli, "statement", "verify", file, "--keys", keys],
    { stdio: ["ignore", "pipe", "inherit"], env: { PATH: process.env["PATH"], HOME: home } },
  );
  const output = await text(child.stdout);
  const ms = performance.now() - startedAt;
  if (!output.startsWith("Verified")) throw new Error(`${file} does not verify: ${output}`);
  return { ms, mb: Number(output.trim().split("\n").at(-1)) / 1_024 };
}

function memoryMb(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024;
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
