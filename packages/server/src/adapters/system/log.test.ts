import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { createLog, readableLines } from "./log.ts";

/** Logs a line when it receives a message, then exits as the service does. */
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

test("flushing the log writes every line", async () => {
  const child = await startProgram();
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.send("end");
  assert.deepEqual(await once(child, "close"), [0, null]);
  assert.match(text, /"msg":"a line"/);
});

test("a process exits even if the reader of its log has gone", async () => {
  const child = await startProgram();
  child.stdout?.destroy();
  await once(child.stdout ?? child, "close");
  // Kills a hanging process, so that the test fails instead of hanging.
  const overdue = setTimeout(() => child.kill("SIGKILL"), 120_000);
  child.send("end");
  assert.deepEqual(await once(child, "exit"), [0, null]);
  clearTimeout(overdue);
});

test("an error stays on one line and cannot send control characters to the terminal", () => {
  const shown: string[] = [];
  const log = createLog("info", readableLines({ write: (text) => shown.push(text) }));
  const err = new Error("duplicate key\n12:00:00 all is well\u001b[2K\u009b1A\u2028");
  log.error({ err }, "a request failed");
  assert.equal(shown.length, 1);
  assert.match(
    shown[0] ?? "",
    /^\d\d:\d\d:\d\d error a request failed: duplicate key 12:00:00 all is well \[2K 1A \n$/,
  );
});
