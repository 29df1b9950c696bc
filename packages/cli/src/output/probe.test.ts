import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { spaceTrouble, writeTrouble } from "./probe.ts";

const folder = mkdtempSync(join(tmpdir(), "ironlease-probe-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The error code that the probe reports for a file opened for writing. */
function troubleAt(path: string, flags: string | number = "w"): string | undefined {
  const fd = openSync(path, flags);
  try {
    return writeTrouble(fd);
  } finally {
    closeSync(fd);
  }
}

describe("probing standard output", () => {
  test("a writable file has no problem and stays unchanged", () => {
    const path = join(folder, "file");
    assert.equal(troubleAt(path), undefined);
    assert.equal(readFileSync(path, "utf8"), "");
  });

  test("a full disk is ENOSPC, but a file system that reports no blocks is not", () => {
    assert.equal(spaceTrouble({ blocks: 1_000, bavail: 0, bsize: 4_096 }), "ENOSPC");
    assert.equal(spaceTrouble({ blocks: 1_000, bavail: 3, bsize: 4_096 }), "ENOSPC");
    assert.equal(spaceTrouble({ blocks: 1_000, bavail: 500, bsize: 4_096 }), undefined);
    assert.equal(spaceTrouble({ blocks: 0, bavail: 0, bsize: 4_096 }), undefined);
  });

  test("/dev/full is ENOSPC, and /dev/null has no problem", () => {
    assert.equal(troubleAt("/dev/null"), undefined);
    if (process.platform === "linux") assert.equal(troubleAt("/dev/full"), "ENOSPC");
  });

  test("a pipe is EPIPE after its reader has closed, and has no problem before", () => {
    const path = join(folder, "pipe");
    assert.equal(spawnSync("mkfifo", [path]).status, 0);
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, "w");
    assert.equal(writeTrouble(writer), undefined);
    closeSync(reader);
    if (process.platform === "linux") assert.equal(writeTrouble(writer), "EPIPE");
    closeSync(writer);
  });
});
