import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { withFileLock } from "./file-lock.ts";
import { findCommand } from "./find-component.ts";

const hasFlock = findCommand("flock", process.env["PATH"] ?? "") !== undefined;
const skip = hasFlock ? false : "needs flock";

test(
  "the second process waits, reports it, and runs when the first was killed",
  { skip },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "ironlease-lock-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "lock");
    const program = `
    import { withFileLock } from ${JSON.stringify(import.meta.resolve("./file-lock.ts"))};
    await withFileLock(process.argv[1], () => {}, async () => {
      console.log("locked");
      await new Promise(() => setInterval(() => {}, 1000));
    });
  `;
    const first = spawn(process.execPath, ["--input-type=module", "--eval", program, file], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(first.stdout, "data");

    const events: string[] = [];
    const onWait = (): void => {
      events.push("waits");
      first.kill("SIGKILL");
    };
    await withFileLock(file, onWait, async () => {
      events.push("runs");
    });
    assert.deepEqual(events, ["waits", "runs"]);
  },
);

test("work that fails releases the lock", { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "ironlease-lock-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "lock");
  const failure = new Error("the work failed");
  await assert.rejects(
    withFileLock(
      file,
      () => {},
      () => Promise.reject(failure),
    ),
    failure,
  );
  assert.equal(
    await withFileLock(
      file,
      () => {},
      async () => "runs",
    ),
    "runs",
  );
});
