import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { firstSignal } from "./first-signal.ts";

test("a Ctrl-C that comes again at once is ignored, and one that comes later ends the process", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const source = new EventEmitter();
  const signalled = firstSignal(source);
  for (const signal of ["SIGINT", "SIGINT", "SIGTERM"]) source.emit(signal, signal);
  assert.equal(await signalled, "SIGINT");
  t.mock.timers.tick(999);
  assert.equal(source.listenerCount("SIGINT"), 1, "a signal is still caught");
  t.mock.timers.tick(1);
  // Without a listener the system ends the process.
  assert.equal(source.listenerCount("SIGINT"), 0);
  assert.equal(source.listenerCount("SIGTERM"), 0);
});
