import assert from "node:assert/strict";
import { test } from "node:test";
import { actionStates, serverActions, serverStates } from "@ironlease/contract";
import { allowedIn } from "./allowed-actions.ts";

test("hardware requests are offered in exactly the states that the contract allows", () => {
  for (const action of serverActions) {
    for (const state of serverStates) {
      const isAllowed = (actionStates as readonly string[]).includes(state);
      assert.equal(allowedIn[action].includes(state), isAllowed, `${action} in ${state}`);
    }
  }
});

test("settings can be changed in every state but TERMINATED", () => {
  for (const setting of ["ddos", "renewal", "reverseDns"] as const) {
    assert.deepEqual(
      serverStates.filter((state) => !allowedIn[setting].includes(state)),
      ["TERMINATED"],
    );
  }
});
