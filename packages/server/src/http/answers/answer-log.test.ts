import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import type { Log } from "#ports/log.ts";
import { answerLog, type AnswerEntry } from "./answer-log.ts";

const entry: AnswerEntry = {
  requestId: "req_abc_1",
  traceId: undefined,
  operation: "readAccount",
  method: "GET",
  status: 200,
  ms: 1.23,
  refused: undefined,
};
const entries: readonly AnswerEntry[] = [
  entry,
  { ...entry, traceId: "4bf92f3577b34da6a3ce929d0e0e4736" },
  { ...entry, operation: undefined, status: 404, refused: { code: "not_found" } },
  {
    ...entry,
    status: 401,
    refused: { code: "authentication_required", actor: undefined, ipAddress: "::1" },
  },
];

function logTo(lines: string[], level: string): Log {
  const writeLine = (line: string) => void lines.push(line);
  return Object.assign(pino({ level, base: null }, { write: writeLine }), { writeLine });
}

test("each line equals the one that the logger would write", () => {
  const lines: string[] = [];
  const log = logTo(lines, "info");
  const write = answerLog(log);
  for (const each of entries) {
    const { refused, ...rest } = each;
    log.info({ ...rest, ...refused });
    write(each);
  }
  const [expected, actual] = [0, 1].map((side) =>
    lines.filter((_, index) => index % 2 === side).map((line) => line.replace(/"time":\d{13}/, "")),
  );
  assert.equal(lines.length, 2 * entries.length);
  assert.deepEqual(actual, expected);
});

test("nothing is written below the log level, and milliseconds have two decimals", () => {
  const lines: string[] = [];
  answerLog(logTo(lines, "warn"))(entry);
  assert.deepEqual(lines, []);
  answerLog(logTo(lines, "info"))({ ...entry, ms: 1.23456 });
  assert.match(lines[0] ?? "", /"ms":1\.23\}/);
});
