import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseUnavailable, Overloaded } from "#ports/db.ts";
import { createLog } from "./log.ts";
import { outageLog } from "./outage-log.ts";

function observed() {
  const lines: Record<string, unknown>[] = [];
  let now = 1_000;
  const log = createLog("info", { write: (line) => lines.push(JSON.parse(line)) });
  const onOutcome = outageLog(log, { now: () => now });
  const messages = () => lines.map(({ access, msg }) => `${String(access)}: ${String(msg)}`);
  return { onOutcome, lines, messages, advance: (ms: number) => (now += ms) };
}

const away = new DatabaseUnavailable("PostgreSQL does not answer", {
  cause: new Error("connect ECONNREFUSED"),
});

test("an outage is logged once when it begins and once when it ends", () => {
  const { onOutcome, lines, messages, advance } = observed();
  onOutcome("read", undefined);
  for (let request = 0; request < 100; request += 1) {
    onOutcome("read", away);
    advance(100);
  }
  onOutcome("read", undefined);
  onOutcome("read", away);
  advance(5_000);
  onOutcome("read", undefined);
  onOutcome("read", undefined);
  assert.deepEqual(messages(), ["read: database outage began", "read: database outage ended"]);
  assert.equal(lines[0]?.["reason"], "PostgreSQL does not answer: connect ECONNREFUSED");
  assert.equal(lines[1]?.["failures"], 101);
});

test("failing writes are an outage even while reads succeed", () => {
  const { onOutcome, messages, advance } = observed();
  onOutcome("write", away);
  advance(60_000);
  onOutcome("read", undefined);
  assert.deepEqual(messages(), ["write: database outage began"]);
});

test("a full queue and a bug are not outages", () => {
  const { onOutcome, messages } = observed();
  onOutcome("write", new Overloaded("too many writes are waiting"));
  onOutcome("write", new TypeError("a bug"));
  assert.deepEqual(messages(), []);
});
