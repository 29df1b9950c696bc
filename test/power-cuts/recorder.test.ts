import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { promisify } from "node:util";
import { temporaryFolder } from "#test/daemon.ts";
import { recorderEnvironment, recorderUnavailableReason } from "./recorder.ts";
import { logTree, findUnrecorded } from "./tree-files.ts";
import { readLog, WriteLog, type LogRecord } from "./write-log.ts";

/** Changes files in every way that Node offers, including ways that the service does not use yet. */
const program = `
  const fs = await import("node:fs");
  const { DatabaseSync } = await import("node:sqlite");
  process.chdir(process.env.RECORDER_ROOT);
  const at = (name) => process.env.RECORDER_ROOT + "/" + name;
  fs.writeFileSync(at("sync"), "written synchronously");
  await fs.promises.writeFile(at("promised"), "written on another thread");
  fs.appendFileSync(at("sync"), " and appended");
  fs.writeFileSync("relative", "without the folder");
  fs.writeFileSync(at("sync"), "overwritten");
  fs.truncateSync(at("promised"), 7);
  const file = fs.openSync(at("parts"), "w");
  fs.writevSync(file, [Buffer.from("one"), Buffer.from("two")]);
  fs.writeSync(file, "three", 10);
  fs.fsyncSync(file);
  fs.closeSync(file);
  const made = fs.mkdtempSync(at("made-"));
  fs.writeFileSync(made + "/inner", "in a folder that is renamed later");
  fs.renameSync(made, at("named"));
  fs.linkSync(at("sync"), at("second-name"));
  fs.mkdirSync(at("removed/deep"), { recursive: true });
  fs.writeFileSync(at("removed/deep/file"), "removed");
  fs.rmSync(at("removed"), { recursive: true });
  for (const mode of ["delete", "wal"]) {
    const database = new DatabaseSync(at(mode + ".db"));
    database.exec("pragma journal_mode = " + mode);
    database.exec("create table numbers (number integer)");
    for (let number = 0; number < 50; number += 1) {
      database.exec("insert into numbers values (" + number + ")");
    }
    if (mode === "wal") process.kill(process.pid, "SIGKILL");
    database.close();
  }
`;

describe("the write recorder", { skip: recorderUnavailableReason() ?? false }, () => {
  let root: string;
  let records: readonly LogRecord[];

  before(async () => {
    const folder = realpathSync(temporaryFolder());
    const logPath = join(folder, "log");
    root = join(folder, "root");
    mkdirSync(root);
    writeFileSync(join(root, "before"), "exists before the recording");
    writeFileSync(logPath, "");
    const log = new WriteLog(logPath);
    logTree(log, root);
    log.close();
    const env = { PATH: process.env["PATH"], ...(await recorderEnvironment(root, logPath)) };
    const args = ["--input-type=module", "--eval", program];
    const ended = promisify(execFile)(process.execPath, args, { env });
    await assert.rejects(ended, { signal: "SIGKILL" });
    records = readLog(logPath);
  });

  test("the log contains every file change of Node and SQLite", () => {
    assert.deepEqual(findUnrecorded(records, root), []);
    for (const kind of ["write", "truncate", "sync", "rename", "link", "remove"]) {
      assert.ok(
        records.some((record) => record.kind === kind),
        kind,
      );
    }
  });

  test("a change that is missing from the log is detected", () => {
    appendFileSync(join(root, "named", "inner"), "!");
    writeFileSync(join(root, "unrecorded"), "");
    assert.deepEqual(findUnrecorded(records, root).toSorted(), ["named/inner", "unrecorded"]);
  });
});
