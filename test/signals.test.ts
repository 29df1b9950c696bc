import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { connect } from "node:net";
import { describe, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "#test/daemon.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const bin = fileURLToPath(new URL("../packages/server/bin/ironleased.js", import.meta.url));

/** A preload that makes the launcher see an older Node, with or without `process.execve`. */
const asOlderNode = (version: string, more = "") =>
  `--import=data:text/javascript,${encodeURIComponent(
    `globalThis.process = Object.create(process, { versions: { value: { node: "${version}" } }${more} });`,
  )}`;

const launches = [
  {
    way: "as a child process",
    preload: asOlderNode("20.0.0", ", execve: { value: undefined }"),
    hup: 129,
  },
  { way: "in place with execve", preload: asOlderNode("24.0.0"), hup: "SIGHUP" },
] as const;

interface Started {
  readonly child: ChildProcess;
  readonly url: URL;
  readonly output: () => string;
  /** The exit code of the process that was started. */
  readonly exited: Promise<number | NodeJS.Signals | null>;
}

/** Starts a program that runs a preview and waits until it listens. */
async function start(t: TestContext, command: string, args: readonly string[]): Promise<Started> {
  const child = spawn(command, args, {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      HOME: temporaryFolder(),
      IRONLEASE_DATA: temporaryFolder(),
      IRONLEASE_LISTEN: "127.0.0.1:0",
      IRONLEASE_OPERATOR_LISTEN: "off",
    },
    stdio: ["ignore", "pipe", "pipe"],
    // Its own process group, so that a failed test can end all its processes.
    detached: true,
  });
  t.after(() => endGroup(child));
  let output = "";
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal)),
  );
  const url = await new Promise<URL>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const [, found] = /"url":"([^"]+)"/.exec(output) ?? [];
        if (found !== undefined) resolve(new URL(found));
      });
    }
    child.once("error", reject);
    void exited.then(() => reject(new Error(`the process ended before it listened: ${output}`)));
  });
  return { child, url, output: () => output, exited };
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function accepts({ port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

async function assertStops({ child, url, output, exited }: Started, signal: NodeJS.Signals) {
  child.kill(signal);
  assert.equal(await exited, 0, output());
  assert.equal(await accepts(url), false, "the service still listens after its parent has exited");
  assert.match(output(), new RegExp(`"signal":"${signal}".*"stopping"[^]*"stopped"`));
}

describe("npm start", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`${signal} to npm stops the service before npm exits`, async (t) => {
      await assertStops(await start(t, "npm", ["start"]), signal);
    });
  }
});

for (const { way, preload, hup } of launches) {
  describe(`the launcher that starts the pinned Node ${way}`, () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      test(`${signal} stops the service with exit code 0`, async (t) => {
        await assertStops(await start(t, process.execPath, [preload, bin, "preview"]), signal);
      });
    }

    test(`SIGHUP ends the service with exit status ${hup}`, async (t) => {
      const { child, url, exited } = await start(t, process.execPath, [preload, bin, "preview"]);
      child.kill("SIGHUP");
      assert.equal(await exited, hup);
      assert.equal(await accepts(url), false);
    });

    test("passes arguments, standard streams and the exit code through without a warning", async () => {
      const command = ["catalogue", "import", "-"];
      const child = spawn(process.execPath, [preload, bin, ...command], {
        env: { PATH: process.env["PATH"], IRONLEASE_DATA: temporaryFolder() },
      });
      child.stdin.end('{\n"regions": 1 1');
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
      const code = await new Promise((resolve) => child.once("close", resolve));
      assert.equal(code, 1);
      assert.equal(stdout, "");
      assert.match(stderr, /^standard input:2: .*\nNothing was imported\.\n$/);
    });

    test("a usage error exits 2", async () => {
      const child = spawn(process.execPath, [preload, bin, "frobnicate"], { stdio: "ignore" });
      const code = await new Promise((resolve) => child.once("exit", resolve));
      assert.equal(code, 2);
    });
  });
}

test("the launcher keeps no parent process if Node has execve", async (t) => {
  const [asChild, inPlace] = launches;
  for (const { preload, children } of [
    { preload: asChild.preload, children: 1 },
    { preload: inPlace.preload, children: 0 },
  ]) {
    const { child } = await start(t, process.execPath, [preload, bin, "preview"]);
    const { stdout } = spawnSync("ps", ["-A", "-o", "ppid="], { encoding: "utf8" });
    const found = stdout.split("\n").filter((parent) => Number(parent) === child.pid);
    assert.equal(found.length, children);
  }
});
