import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { unprivilegedTmpdir } from "#test/unprivileged-user.ts";

const checks = 600;
const checkPauseMs = 50;

describe("the cluster's folder", () => {
  let scratch: string;
  let stub: string;
  before(async () => {
    scratch = await mkdtemp(join(unprivilegedTmpdir, "ironlease-cluster-test-"));
    // Stands for every program of the cluster.
    stub = join(scratch, "stub");
    writeFileSync(stub, "#!/bin/sh\nexec sleep 600\n");
    chmodSync(scratch, 0o755);
    chmodSync(stub, 0o755);
  });
  after(() => rmSync(scratch, { recursive: true }));

  /** Runs a process that starts a cluster and does something with it. */
  async function startCluster(program: string): Promise<{ child: ChildProcess; folder: string }> {
    const script = `
      import { Cluster } from ${JSON.stringify(import.meta.resolve("./cluster.ts"))};
      const stub = ${JSON.stringify(stub)};
      const programs = { patroni: stub, etcd: stub, haproxy: stub, pgbackrest: stub, binaries: "/", versions: {}, environment: {} };
      const cluster = await Cluster.start(programs, "etcd3");
      const announce = () => console.log(cluster.folder);
      ${program}`;
    const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", script], {
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const folder of createInterface(child.stdout)) {
      assert.ok(existsSync(folder));
      return { child, folder };
    }
    throw new Error("the cluster did not start");
  }

  async function untilGone(folder: string): Promise<void> {
    for (let check = 0; existsSync(folder); check += 1) {
      assert.ok(check < checks, `${folder} is still there`);
      await delay(checkPauseMs);
    }
  }

  for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
    test(`is removed when the run ends by ${signal}, even if a server was down`, async () => {
      const { child, folder } = await startCluster("await cluster.nodes[0].kill(); announce();");
      child.kill(signal);
      await once(child, "exit");
      await untilGone(folder);
    });
  }

  test("is removed when the run ends without stopping the cluster", async () => {
    const { folder } = await startCluster("announce(); process.exit(1);");
    await untilGone(folder);
  });

  test("is removed when the cluster stops", async () => {
    const { child, folder } = await startCluster(
      "announce(); await cluster.nodes[0].kill(); await cluster.stop(); process.exit();",
    );
    await once(child, "exit");
    assert.ok(!existsSync(folder));
  });
});
