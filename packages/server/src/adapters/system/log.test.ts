import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";

/** Logs a line once it is told to, and ends as the service does. */
const program = `
  import { createLog, flushLog } from ${JSON.stringify(new URL("log.ts", import.meta.url).href)};
  const log = createLog("info");
  process.send("ready");
  process.once("message", async () => {
    log.info("a line");
    await flushLog(log);
    process.exit(0);
  });
`;

async function startProgram() {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  await once(child, "message");
  return child;
}

test("every line is there when the log is flushed", async () => {
  const child = await startProgram();
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.send("end");
  assert.deepEqual(await once(child, "close"), [0, null]);
  assert.match(text, /"msg":"a line"/);
});

test("a process ends also when nobody reads its log any more", async () => {
  const child = await startProgram();
  child.stdout?.destroy();
  await once(child.stdout ?? child, "close");
  // What hangs is ended, so that the test fails and does not hang as well.
  const overdue = setTimeout(() => child.kill("SIGKILL"), 20_000);
  child.send("end");
  assert.deepEqual(await once(child, "exit"), [0, null]);
  clearTimeout(overdue);
});
