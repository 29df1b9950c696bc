import assert from "node:assert/strict";
import { test } from "node:test";
import { actionStates, serverActions, serverStates } from "@ironlease/contract";
import { allowedIn } from "./allowed-actions.ts";

test("hardware takes requests in the states that the service allows, and in no others", () => {
  for (const action of serverActions) {
    for (const state of serverStates) {
      const isAllowed = (actionStates as readonly string[]).includes(state);
      assert.equal(allowedIn[action].includes(state), isAllowed, `${action} in ${state}`);
    }
  }
});

test("settings may be made in every state but the last", () => {
  for (const setting of ["ddos", "renewal", "reverseDns"] as const) {
    assert.deepEqual(
      serverStates.filter((state) => !allowedIn[setting].includes(state)),
      ["TERMINATED"],
    );
  }
});
