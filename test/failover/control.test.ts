import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openEngine, type OpenedEngine } from "#test/engines.ts";
import { lostChanges, present } from "../power-cuts/acknowledgement.ts";
import { problemsOfControl } from "./control.ts";

describe("the control", () => {
  let opened: OpenedEngine;
  before(async () => {
    opened = await openEngine("postgres");
  });
  after(() => opened.dispose());

  test("an acknowledged change that the new primary lacks is a loss, as the control must report", async () => {
    const call = { side: "account", method: "POST", path: "/api/v1/orders" } as const;
    const facts = [present("orders", { id: "order_lost" })];
    const acknowledgements = [{ call, status: 201, body: {}, facts }];
    const lost = await lostChanges(opened.db, acknowledgements);
    assert.equal(lost.length, 1);
    assert.deepEqual(problemsOfControl({ acknowledged: 1, lost }), []);
  });

  test("a control that loses nothing is a problem", () => {
    assert.equal(problemsOfControl({ acknowledged: 1, lost: [] }).length, 1);
  });
});
