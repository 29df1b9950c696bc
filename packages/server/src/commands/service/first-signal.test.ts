import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { firstSignal } from "./first-signal.ts";

test("a second Ctrl-C within a second is ignored, and a later one ends the process", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const source = new EventEmitter();
  const signalled = firstSignal(source);
  for (const signal of ["SIGINT", "SIGINT", "SIGTERM"]) source.emit(signal, signal);
  assert.equal(await signalled, "SIGINT");
  t.mock.timers.tick(999);
  assert.equal(source.listenerCount("SIGINT"), 1, "the signal is still caught");
  t.mock.timers.tick(1);
  // Without a listener, the signal ends the process.
  assert.equal(source.listenerCount("SIGINT"), 0);
  assert.equal(source.listenerCount("SIGTERM"), 0);
});
