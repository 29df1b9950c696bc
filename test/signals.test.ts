import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { connect } from "node:net";
import { describe, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "#test/daemon.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const bin = fileURLToPath(new URL("../packages/server/bin/ironleased.js", import.meta.url));

/** Makes the launcher take the Node that runs it for an older one. */
const asOlderNode = `--import=data:text/javascript,${encodeURIComponent(
  `globalThis.process = Object.create(process, { versions: { value: { node: "20.0.0" } } });`,
)}`;

interface Started {
  readonly child: ChildProcess;
  readonly url: URL;
  readonly output: () => string;
  /** The exit code of the process that was started. */
  readonly exited: Promise<number | NodeJS.Signals | null>;
}

/** Starts a program that runs a preview, however many processes that takes, until it listens. */
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
    // A group of its own: whatever is left of it when the test fails is ended.
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
    void exited.then(() => reject(new Error(`it ended before it listened: ${output}`)));
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
  assert.equal(await accepts(url), false, "the service ended before the process that started it");
  assert.match(output(), new RegExp(`"signal":"${signal}".*"stopping"[^]*"stopped"`));
}

describe("npm start", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`${signal} to npm stops the service, and npm ends after it`, async (t) => {
      await assertStops(await start(t, "npm", ["start"]), signal);
    });
  }
});

describe("the launcher", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`${signal} stops the service on the pinned Node, and its exit code is passed on`, async (t) => {
      await assertStops(await start(t, process.execPath, [asOlderNode, bin, "preview"]), signal);
    });
  }

  test("SIGHUP ends the service, and the exit code says so", async (t) => {
    const args = [asOlderNode, bin, "preview"];
    const { child, url, exited } = await start(t, process.execPath, args);
    child.kill("SIGHUP");
    assert.equal(await exited, 128 + 1);
    assert.equal(await accepts(url), false);
  });

  test("the exit code of a command is passed on", async () => {
    const child = spawn(process.execPath, [asOlderNode, bin, "frobnicate"], { stdio: "ignore" });
    const code = await new Promise((resolve) => child.once("exit", resolve));
    assert.equal(code, 2);
  });
});
